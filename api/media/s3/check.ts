import { StartupError } from '#api/startup-error.ts'
import { StorageAway } from '../storage.ts'
import { type S3Client, type S3Place, statusOf } from './client.ts'

/**
 * Lists, writes and removes once. A storage that answers but refuses is a mistake in the configuration and ends the start; one that
 * does not answer may come back, and a store without pictures sells more than no store: that is in the log, and each request tries again.
 */
export const checkPlace = async ({ s3, asked, stored }: S3Client, place: S3Place, prefix: string) => {
  const probe = `${prefix}probe/${crypto.randomUUID()}`
  try {
    const found = await asked(() => s3.listObjectsPaged('/', probe, 1))
    if (!found) throw new StartupError(`MEDIA_S3_BUCKET: there is no bucket ${place.bucket} at ${place.endpoint}.`)
    await stored(() => s3.putObject(probe, 'probe', 'text/plain'))
    await asked(() => s3.deleteObject(probe))
  } catch (error) {
    if (!(error instanceof StorageAway)) throw error
    const status = statusOf(error.cause)
    if (status === undefined || status >= 500 || status === 429) return
    const reason = error.cause instanceof Error ? error.cause.message : ''
    throw new StartupError(
      status === 403
        ? `MEDIA_S3_ACCESS_KEY and MEDIA_S3_SECRET_KEY may not list, write and remove in the bucket ${place.bucket} (${reason}).`
        : `MEDIA_S3_ENDPOINT: ${place.endpoint} does not answer as an S3-compatible storage (${reason}); MEDIA_S3_REGION may be another.`,
    )
  }
}
