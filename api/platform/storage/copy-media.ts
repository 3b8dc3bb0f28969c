import type { MediaStorage, StoredEntry } from './storage.ts'

/**
 * Works through a list, several at a time. The first failure ends it, once nothing is under way any more: what is left is not begun,
 * and that failure is thrown.
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

/** Lines about one fault, at most, while it lasts or comes and goes. */
const onceInMilliseconds = 10_000

interface Lines {
  error: (details: object, message: string) => void
  info: (message: string) => void
}

export interface FaultLog {
  away: (error: unknown) => void
  back: () => void
}

/** Of one storage: what it does not send and what it does not take may break apart from each other. */
export interface StorageFaults {
  reading: FaultLog
  writing: FaultLog
  /** A file that began to come and did not end. */
  broken: (error: unknown) => void
}

/** Says that something is away once in a while, however many requests notice it, and once that it is back. */
const createFaultLog = (log: Lines, messages: { away: string; back: string }): FaultLog => {
  let since: number | null = null
  let reportedAt = Number.NEGATIVE_INFINITY
  let reported = false
  return {
    away: (error) => {
      const now = Date.now()
      since ??= now
      if (now - reportedAt < onceInMilliseconds) return
      reportedAt = now
      reported = true
      const seconds = Math.round((now - since) / 1000)
      const reason = error instanceof Error ? error.message : String(error)
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined
      log.error({ reason, cause, seconds }, messages.away)
    },
    back: () => {
      if (since === null) return
      since = null
      if (reported) log.info(messages.back)
      reported = false
    },
  }
}

export const createStorageFaults = (log: Lines): StorageFaults => {
  const pieces = createFaultLog(log, { away: 'The storage of media broke off in the middle of a file', back: '' })
  return {
    reading: createFaultLog(log, {
      away: 'The storage of media does not answer',
      back: 'The storage of media answers again',
    }),
    writing: createFaultLog(log, {
      away: 'The storage of media takes no files',
      back: 'The storage of media takes files again',
    }),
    broken: pieces.away,
  }
}

/** For those who hear of faults by what is thrown. */
export const silentFaults: StorageFaults = {
  reading: { away: () => undefined, back: () => undefined },
  writing: { away: () => undefined, back: () => undefined },
  broken: () => undefined,
}
