import { AsyncLocalStorage } from 'node:async_hooks'
import { S3mini, S3ServiceError } from 's3mini'
import type { StorageFaults } from '../fault-log.ts'
import { StorageAway } from '../storage.ts'
import { createAbsence } from './absence.ts'
import { createPatientFetch } from './patient-fetch.ts'

/** Where an S3-compatible storage is, and the account it is asked with. */
export interface S3Place {
  /** The origin, `https://s3.example.com`: the bucket follows as the first name of the path. */
  endpoint: string
  bucket: string
  region: string
  accessKey: string
  secretKey: string
  /** Names before every key, `shop/media`, or nothing. */
  prefix: string
}

export interface Head {
  bytes: number
  modifiedAt: Date
  etag: string
}

export type S3Client = ReturnType<typeof createS3Client>

/** The client, with faults in the storage's words: `null` for what is not there, `StorageAway` for what may pass. */
export const createS3Client = (place: S3Place, faults: StorageFaults) => {
  const absence = createAbsence(faults.reading)
  const patientFetch = createPatientFetch(absence.isAway)
  // The client keeps the headers of a HEAD request to itself; whoever asks for them reads them on their way in.
  const passing = new AsyncLocalStorage<(headers: Headers) => void>()
  const s3 = new S3mini({
    endpoint: `${place.endpoint}/${place.bucket}`,
    region: place.region,
    accessKeyId: place.accessKey,
    secretAccessKey: place.secretKey,
    fetch: async (url, init) => {
      const response = await patientFetch(url, init)
      passing.getStore()?.(response.headers)
      return response
    },
  })

  /** Asks for something; what a storage refuses to one reader is asked for by one reader at a time. */
  const asked = <Answer>(work: () => Promise<Answer>): Promise<Answer | null> =>
    absence.inTurn(() => told(work, { back: absence.answered, away: absence.failed }))
  /** Writes something, whether or not readers are answered: a storage that is full still sends what it has. */
  const stored = <Answer>(work: () => Promise<Answer>): Promise<Answer | null> => told(work, faults.writing)

  return {
    s3,
    asked,
    stored,
    head: (name: string): Promise<Head | null> =>
      asked(async () => {
        let headers = new Headers()
        const found = await passing.run(
          (seen) => {
            headers = seen
          },
          () => s3.objectExists(name),
        )
        return found ? readHead(headers) : null
      }),
  }
}

const told = async <Answer>(
  work: () => Promise<Answer>,
  hears: { back: () => void; away: (error: unknown) => void },
): Promise<Answer | null> => {
  try {
    const answer = await work()
    hears.back()
    return answer
  } catch (error) {
    if (statusOf(error) === 404 || statusOf(error) === 412 || statusOf(error) === 416) {
      hears.back()
      return null
    }
    hears.away(error)
    throw new StorageAway(error)
  }
}

export const statusOf = (error: unknown) => (error instanceof S3ServiceError ? error.status : undefined)

const readHead = (headers: Headers): Head => {
  const bytes = Number(headers.get('content-length') ?? Number.NaN)
  const etag = headers.get('etag')
  if (!Number.isSafeInteger(bytes) || !etag) throw new Error('The storage told no length or no ETag of a file.')
  return { bytes, etag, modifiedAt: new Date(headers.get('last-modified') ?? 0) }
}
