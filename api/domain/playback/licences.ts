import type { VideoDrm } from '#api/db/schema/catalog.ts'
import type { Playback } from '#contract/playback.ts'

/** The folder of a stream's licences, below its signed address. No stored file is named like it. */
export const licenceFolder = 'licence'

/**
 * Where a player gets licences: below the stream's own signed address, so that the right is asked for them as for everything else, and
 * the licence server's address stays with the store.
 */
export const licencesBelow = (address: string, drm: VideoDrm): Playback['drm'] =>
  Object.fromEntries(
    Object.entries(drm).map(([keySystem, { certificateUrl }]) => {
      const licenceUrl = `${address}/${licenceFolder}/${keySystem}`
      return [keySystem, { licenceUrl, certificateUrl: certificateUrl ? `${licenceUrl}/certificate` : null }]
    }),
  )
