/** Lines about one fault, at most, while it lasts. */
const onceInMilliseconds = 10_000

interface Lines {
  error: (details: object, message: string) => void
  info: (message: string) => void
}

/** Says that the storage is away once in a while, however many requests notice it, and once that it is back. */
export const createFaultLog = (log: Lines) => {
  let since: number | null = null
  let said = 0
  return {
    away: (error: unknown) => {
      const now = Date.now()
      since ??= now
      if (now - said < onceInMilliseconds) return
      said = now
      const seconds = Math.round((now - since) / 1000)
      const reason = error instanceof Error ? error.message : String(error)
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined
      log.error({ reason, cause, seconds }, 'The storage of media does not answer')
    },
    back: () => {
      if (since === null) return
      since = null
      said = 0
      log.info('The storage of media answers again')
    },
  }
}
