import type { FaultLog } from '../fault-log.ts'
import { StorageAway } from '../storage.ts'

/** While a storage is away it is not asked more often than this. */
const askAgainMilliseconds = 1_000

/**
 * Who may ask a storage that is away: one at a time. The others wait for what that one hears, so that a storage that hangs or is
 * overrun has one request to answer and not one of every viewer.
 */
export const createAbsence = (faults: FaultLog) => {
  let cause: unknown = null
  let away = false
  let askedAt = 0
  let asking: Promise<void> | null = null

  const answered = () => {
    away = false
    faults.back()
  }
  const failed = (error: unknown) => {
    away = true
    cause = error
    askedAt = Date.now()
    faults.away(error)
  }

  return {
    isAway: () => away,
    answered,
    failed,
    /** Runs `ask`, which tells by `answered` or `failed` what came of it. Throws `StorageAway` where it is not its turn. */
    inTurn: async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
      if (away && asking) await asking
      if (!away) return ask()
      if (asking || Date.now() - askedAt < askAgainMilliseconds) throw new StorageAway(cause)
      const answer = ask()
      asking = answer.then(
        () => undefined,
        () => undefined,
      )
      try {
        return await answer
      } finally {
        asking = null
      }
    },
  }
}
