import type { Clock } from '#api/platform/context.ts'

/** The real time plus what the test advances it by. */
export const createTestClock = (): Clock & { advance: (milliseconds: number) => void } => {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    advance: (milliseconds) => {
      ahead += milliseconds
    },
  }
}
