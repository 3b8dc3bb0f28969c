import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Answers no sooner than after so many milliseconds, also with a failure: what was done within them cannot be read off the time it
 * took. It is longer than the work ever takes on a machine that keeps up.
 */
export const atLeast = async <Answer>(milliseconds: number, work: () => Promise<Answer>): Promise<Answer> => {
  const [done] = await Promise.allSettled([work(), sleep(milliseconds)])
  if (done.status === 'rejected') throw done.reason
  return done.value
}
