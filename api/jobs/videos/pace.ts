import { sql } from 'drizzle-orm'
import type { Customer } from '#api/context.ts'
import { type Attempt, writeAttempt } from '#api/db/queries/video-jobs.ts'
import { withTenant } from '#api/db/with-tenant.ts'
import type { Deps } from '#api/deps.ts'
import { heartbeatSeconds, lostAfterSeconds } from '#api/domain/videos/states.ts'

/** The job was cancelled, or another worker has it. */
export class JobGone extends Error {
  override name = 'JobGone'
}

export interface Pace extends AsyncDisposable {
  /** Aborted with `JobGone` once the job is not this attempt's any more. */
  signal: AbortSignal
  /** What the operator reads next; written with the next heartbeat. */
  report(progress: { step: string; percent: number; secondsLeft: number | null }): void
  /** Writes now; throws where the job has gone. */
  beat(): Promise<void>
}

/** Tells the database once a second that the job is being worked at and how far it is, and hears there that it is wanted no more. */
export const keepPace = (deps: Deps, customer: Customer, attempt: Attempt, stopping: AbortSignal): Pace => {
  const gone = new AbortController()
  let progress: { step: string; percent: number; secondsLeft: number | null } = {
    ...{ step: 'PROBE', percent: 0, secondsLeft: null },
  }
  let heardAt = performance.now()
  const beat = async () => {
    const { step, percent, secondsLeft } = progress
    const held = await withTenant(deps.pool, customer.id, (db) =>
      writeAttempt(db, customer.id, attempt, {
        ...{ step, percent, secondsLeft: secondsLeft === null ? null : Math.ceil(secondsLeft) },
        seenAt: sql`now()` as unknown as string,
      }),
    )
    heardAt = performance.now()
    if (!held) gone.abort(new JobGone('The job was cancelled or taken over'))
    gone.signal.throwIfAborted()
  }
  let beating: Promise<void> = Promise.resolve()
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    beating = beat()
      .catch((error: unknown) => {
        if (error instanceof JobGone) return
        // A database that is away is waited for, as long as nobody else can have been given the job.
        deps.log.warn({ err: error, job: attempt.id }, 'A video job could not report')
        if (performance.now() - heardAt > lostAfterSeconds * 1000) gone.abort(new JobGone(String(error)))
      })
      .finally(() => {
        busy = false
      })
  }, heartbeatSeconds * 1000)
  return {
    signal: AbortSignal.any([gone.signal, stopping]),
    report: (next) => {
      progress = next
    },
    beat,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await beating
    },
  }
}
