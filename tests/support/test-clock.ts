import type { Clock } from '#api/platform/context.ts'

/** The real time, moved by what a test asks for. */
export const createTestClock = (): Clock & { advance: (milliseconds: number) => void } => {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    advance: (milliseconds) => {
      ahead += milliseconds
    },
  }
}
