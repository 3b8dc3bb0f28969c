import { createFaultLog, type FaultLines, type FaultLog } from '#api/platform/log/log.ts'
import type { MediaStorage, StoredEntry } from './storage.ts'

/**
 * Processes a list with several items at a time. After a failure it starts no further item, waits
 * for those in progress, and throws the first error.
 */
export const eachOf = async <Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
) => {
  const waiting = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  const failures: unknown[] = []
  const worker = async () => {
    try {
      while (failures.length === 0) {
        const next = await waiting.next()
        if (next.done) return
        await work(next.value)
      }
    } catch (error) {
      failures.push(error)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  if (failures.length === 0) return
  await waiting.return?.()
  throw failures[0]
}

export interface CopiedMedia extends StoredEntry {
  /** False for a file that already existed with the same size and is not older. */
  copied: boolean
}

/** Most files are small, so latency dominates. */
const concurrency = 6

/**
 * Copies all files of one storage to another. A repeated run continues where the last one stopped.
 * Deletes nothing. Calls `onFile` for each file that exists in the target. The first failure stops
 * it after the files in progress.
 */
export const copyMedia = async (from: MediaStorage, to: MediaStorage, onFile: (file: CopiedMedia) => void) => {
  const targetEntries = new Map<string, StoredEntry>()
  for await (const entry of to.list()) targetEntries.set(entry.key, entry)
  await eachOf(from.list(), concurrency, async (entry) => {
    const there = targetEntries.get(entry.key)
    // Timestamps of a storage have a resolution of one second.
    const current = there?.bytes === entry.bytes && there.modifiedAt.getTime() >= entry.modifiedAt.getTime() - 1_000
    const body = current ? null : await (await from.open(entry.key))?.read()
    if (body) await to.put(entry.key, body)
    if (body || current) onFile({ ...entry, copied: Boolean(body) })
  })
}

/** The faults of one storage. Reads and writes can fail independently. */
export interface StorageFaults {
  reading: FaultLog
  writing: FaultLog
  /** A read that failed after it had started. */
  broken: (error: unknown) => void
}

/**
 * Creates the log of storage faults: one line when reading or writing fails, one when it works
 * again, and few lines for incomplete files.
 */
export const createStorageFaults = (log: FaultLines): StorageFaults & { isFaulty: () => boolean } => {
  const incomplete = createFaultLog(log, {
    failed: 'The media storage stopped in the middle of a file',
    recovered: null,
  })
  const reading = createFaultLog(log, {
    failed: 'The media storage does not answer',
    recovered: 'The media storage answers again',
  })
  const writing = createFaultLog(log, {
    failed: 'The media storage does not accept files',
    recovered: 'The media storage accepts files again',
  })
  const isFaulty = () => reading.isFaulty() || writing.isFaulty()
  const broken = (error: unknown) => {
    incomplete.onFailure(error)
    incomplete.onSuccess()
  }
  return { reading, writing, broken, isFaulty }
}

/** For callers that handle faults by the thrown errors. */
export const ignoredFaults: StorageFaults = {
  reading: { onSuccess: () => undefined, onFailure: () => undefined },
  writing: { onSuccess: () => undefined, onFailure: () => undefined },
  broken: () => undefined,
}
