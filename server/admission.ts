import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Config } from '#api/config.ts'

/** What tells how busy this process is. */
export interface LoadGauge {
  /** How late the event loop was lately, in milliseconds. */
  eventLoopDelay: () => number
  /** Requests that wait for a connection to the database. */
  waitingForDatabase: () => number
}

/** A request that was let in. `release` may be called more than once. */
export interface Admitted {
  release: () => void
}

export interface Admission {
  /** Whether a request that came now would be refused. */
  isFull: () => boolean
  /** Whether the process has more work than it can do. Work that can wait is left until later. */
  isOverloaded: () => boolean
  /** Waits for a turn; null where there is none in time. `signal` gives up the place in the queue. */
  enter: (signal: AbortSignal) => Promise<Admitted | null>
  /** Counts a request that is at work already and cannot wait: its body has been read. */
  begin: () => Admitted
}

/** From here on the event loop is late: each request more only makes all of them slower. Milliseconds. */
const lateFrom = 10
/** Concurrency is never lowered below this, so that work goes on. */
const leastConcurrency = 2
/** How often the load is looked at. Milliseconds. */
const interval = 100
/** The part of the queue that is left while the process is overloaded: one in so many places. */
const queueShare = 8
/** A request at work for longer waits for something else than this process, and holds no place. Milliseconds. */
const longestHold = 2_000

/**
 * Lets as much work in as this process can do. Concurrency follows the event loop: it shrinks by a quarter while the loop is late and
 * grows by one while it is not, each tenth of a second. What comes beyond waits in a short queue; what the queue does not hold, or not
 * in time, is refused.
 */
export const createAdmission = (gauge: LoadGauge, limits: Config['overload']): Admission => {
  const queue = new Set<(admitted: Admitted | null) => void>()
  let active = 0
  let allowed = limits.concurrency
  let adjustedAt = Number.NEGATIVE_INFINITY

  const isOverloaded = () => gauge.eventLoopDelay() > limits.delay || gauge.waitingForDatabase() > limits.queue

  const adjust = () => {
    const now = performance.now()
    if (now - adjustedAt < interval) return
    adjustedAt = now
    const late = gauge.eventLoopDelay() > lateFrom || gauge.waitingForDatabase() > limits.concurrency
    allowed = late ? Math.max(leastConcurrency, Math.floor(allowed * 0.75)) : Math.min(limits.concurrency, allowed + 1)
  }

  const begin = (): Admitted => {
    active++
    let held = true
    const release = () => {
      if (!held) return
      held = false
      clearTimeout(timer)
      active--
      admitNext()
    }
    const timer = setTimeout(release, longestHold)
    timer.unref()
    return { release }
  }

  const admitNext = () => {
    adjust()
    for (const admit of queue) {
      if (active >= allowed) return
      admit(begin())
    }
  }

  const isFull = () => {
    adjust()
    // A few may wait even then: on a machine that others keep busy, the process is late with next to nothing to do.
    const room = isOverloaded() ? Math.floor(limits.queue / queueShare) : limits.queue
    return active >= allowed && queue.size >= room
  }

  return {
    isFull,
    isOverloaded,
    begin,
    enter: (signal) => {
      if (isFull() || signal.aborted) return Promise.resolve(null)
      if (active < allowed && queue.size === 0) return Promise.resolve(begin())
      return new Promise((resolve) => {
        const settle = (admitted: Admitted | null) => {
          clearTimeout(timer)
          signal.removeEventListener('abort', giveUp)
          queue.delete(settle)
          resolve(admitted)
        }
        const giveUp = () => settle(null)
        const timer = setTimeout(giveUp, limits.wait)
        signal.addEventListener('abort', giveUp)
        queue.add(settle)
      })
    },
  }
}

/** Measures this process and its pool of connections. */
export const createLoadGauge = (pool: { waitingCount: number }): LoadGauge => {
  const resolution = 10
  const histogram = monitorEventLoopDelay({ resolution })
  histogram.enable()
  let delay = 0
  let readAt = 0
  return {
    eventLoopDelay: () => {
      const now = performance.now()
      if (now - readAt >= interval && histogram.count > 0) {
        delay = Math.max(0, histogram.mean / 1e6 - resolution)
        readAt = now
        histogram.reset()
      }
      return delay
    },
    waitingForDatabase: () => pool.waitingCount,
  }
}
