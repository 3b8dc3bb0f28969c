import { eachOf } from './each-of.ts'
import type { MediaStorage, StoredEntry } from './storage.ts'

export interface CopiedMedia extends StoredEntry {
  /** False for a file that was there already, as large and not older. */
  copied: boolean
}

/** Most files are small: their time is the way to the storage and back. */
const filesAtOnce = 6

/**
 * Copies all of one storage into another; begun again it goes on where it was. Nothing is taken away. `onFile` hears of each file
 * that is there. A file that cannot be copied ends it, when those under way are done.
 */
export const copyMedia = async (from: MediaStorage, to: MediaStorage, onFile: (file: CopiedMedia) => void) => {
  const known = new Map<string, StoredEntry>()
  for await (const entry of to.list()) known.set(entry.key, entry)
  await eachOf(from.list(), filesAtOnce, async (entry) => {
    const there = known.get(entry.key)
    // Times of a storage are whole seconds.
    const current = there?.bytes === entry.bytes && there.modifiedAt.getTime() >= entry.modifiedAt.getTime() - 1_000
    const body = current ? null : await (await from.open(entry.key))?.read()
    if (body) await to.put(entry.key, body)
    if (body || current) onFile({ ...entry, copied: Boolean(body) })
  })
}
