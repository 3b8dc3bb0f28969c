import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Config } from '#api/config.ts'

/** Measures how busy this process is. */
export interface LoadGauge {
  /** The recent delay of the event loop, in milliseconds. */
  eventLoopDelay: () => number
  /** The number of requests that wait for a database connection. */
  waitingForDatabase: () => number
}

/** An admitted request. `release` may be called more than once. */
export interface Admitted {
  release: () => void
}

export interface Admission {
  /** Whether a new request would be refused. */
  isFull: () => boolean
  /** Whether the process is overloaded, so that other work should be postponed. */
  isOverloaded: () => boolean
  /**
   * Waits in the queue; null if it is full or the wait is too long. `signal` leaves the queue.
   */
  enter: (signal: AbortSignal) => Promise<Admitted | null>
  /** Counts a request that cannot wait, because its body has been read. */
  begin: () => Admitted
}

/**
 * The delay of the event loop from which more concurrency slows all requests down. Milliseconds.
 */
const busyDelayMilliseconds = 10
/** The lower limit of the concurrency. */
const minConcurrency = 2
/** How often the load is measured. Milliseconds. */
const interval = 100
/** While the process is overloaded, the queue is this many times shorter. */
const queueShare = 8
/**
 * A longer request waits for something else than this process and no longer counts. Milliseconds.
 */
const longestHold = 2_000

/**
 * Admits as many requests as this process can handle. Each tenth of a second the concurrency
 * shrinks by a quarter while the event loop is late, else grows by one. Other requests wait in a
 * short queue, and are refused if it is full or the wait is too long.
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
    const isBusy = gauge.eventLoopDelay() > busyDelayMilliseconds || gauge.waitingForDatabase() > limits.concurrency
    allowed = isBusy ? Math.max(minConcurrency, Math.floor(allowed * 0.75)) : Math.min(limits.concurrency, allowed + 1)
  }

  const begin = (): Admitted => {
    active++
    let isActive = true
    const release = () => {
      if (!isActive) return
      isActive = false
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
    // A short queue remains: on a busy machine the event loop is late although there is little to
    // do.
    const capacity = isOverloaded() ? Math.floor(limits.queue / queueShare) : limits.queue
    return active >= allowed && queue.size >= capacity
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
          signal.removeEventListener('abort', cancelWait)
          queue.delete(settle)
          resolve(admitted)
        }
        const cancelWait = () => settle(null)
        const timer = setTimeout(cancelWait, limits.wait)
        signal.addEventListener('abort', cancelWait)
        queue.add(settle)
      })
    },
  }
}

/** Measures the event loop and the pool of database connections. */
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
