import type { TenantDb } from '#api/platform/db/client.ts'
import type { LockConnection } from '#api/platform/db/connections.ts'
import type { CustomerId, UploadId } from '#contract/ids.ts'

/** The channel for requests to release an upload's lock. The payload is the key of the lock. */
export const uploadsChannel = 'marquee_uploads'

/** Takes the lock of an upload unless another process holds it, and returns whether it did. */
export const tryLockUpload = (connection: LockConnection, key: string) =>
  connection.query('SELECT pg_try_advisory_lock(hashtextextended($1, 4)) AS done', [key])

/** Releases the lock of an upload. Returns false if this connection does not hold it. */
export const unlockUpload = (connection: LockConnection, key: string) =>
  connection.query('SELECT pg_advisory_unlock(hashtextextended($1, 4)) AS done', [key])

/** Asks the process that holds the lock of an upload to release it. */
export const requestUploadRelease = async (connection: LockConnection, key: string) => {
  await connection.query('SELECT pg_notify($1, $2)', [uploadsChannel, key])
}

/** Takes an encoder slot unless another process holds it, and returns whether it did. */
export const tryLockEncoderSlot = (connection: LockConnection, key: string) =>
  connection.query('SELECT pg_try_advisory_lock(hashtextextended($1, 5)) AS done', [key])

/** Releases an encoder slot. Returns false if this connection does not hold it. */
export const unlockEncoderSlot = (connection: LockConnection, key: string) =>
  connection.query('SELECT pg_advisory_unlock(hashtextextended($1, 5)) AS done', [key])

/** Serializes requests that queue the same uploads, until the transaction ends. */
export const lockUploads = async (db: TenantDb, customerId: CustomerId, ids: readonly UploadId[]) => {
  for (const id of [...new Set(ids)].sort())
    await db.$client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 3))', [`${customerId}/${id}`])
}
