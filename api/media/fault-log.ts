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
const createFaultLog = (log: Lines, words: { away: string; back: string }): FaultLog => {
  let since: number | null = null
  let said = Number.NEGATIVE_INFINITY
  let told = false
  return {
    away: (error) => {
      const now = Date.now()
      since ??= now
      if (now - said < onceInMilliseconds) return
      said = now
      told = true
      const seconds = Math.round((now - since) / 1000)
      const reason = error instanceof Error ? error.message : String(error)
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined
      log.error({ reason, cause, seconds }, words.away)
    },
    back: () => {
      if (since === null) return
      since = null
      if (told) log.info(words.back)
      told = false
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
