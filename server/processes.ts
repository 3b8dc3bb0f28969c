import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** What a process of the installation does: the processes that serve are numbered from 1. */
export type ProcessRole = 'worker' | `serve-${number}`

/** The variable that gives a process its role. Only `superviseProcesses` sets it. */
const roleVariable = 'MARQUEE_PROCESS'

/** The role of this process; null without a supervisor. */
export const readRole = (): ProcessRole | null => {
  const role = cluster.isWorker ? process.env[roleVariable] : undefined
  if (role === 'worker') return role
  return role?.startsWith('serve-') ? `serve-${Number(role.slice('serve-'.length))}` : null
}

/** Milliseconds until a process is replaced that ended soon after its start; doubled each time. */
const firstDelay = 500
const longestDelay = 30_000
/** A process that ran for so long starts again at once. Milliseconds. */
const stableAfter = 10_000
/**
 * How long a process may take to stop: a film is stored before its worker stops. Whoever stops the
 * supervisor waits longer, because it then stops the embedded database. Milliseconds.
 */
export const stopTimeout = 30_000

/** The message of a process that is ready. */
const readyMessage = 'ready'

/** Tells the supervisor that this process serves or works. */
export const notifyReady = () => process.send?.(readyMessage)

interface SuperviseOptions {
  roles: readonly ProcessRole[]
  /** Variables of a process beside those of this one. */
  environmentOf: (role: ProcessRole) => Record<string, string>
  log: Logger
}

/** A process that is ready. */
interface Running {
  worker: Worker
  stop: () => Promise<void>
}

/**
 * Runs a process for each role, replaces those that end, and returns when all are ready. `restart`
 * replaces them one at a time, each by one that is ready before the old one stops.
 *
 * @throws Error if a process ends before it is ready
 */
export const superviseProcesses = async ({ roles, environmentOf, log }: SuperviseOptions) => {
  const running = new Map<ProcessRole, Running>()
  const stopping = new AbortController()

  const start = async (role: ProcessRole): Promise<Running> => {
    const worker = cluster.fork({ ...environmentOf(role), [roleVariable]: role })
    const ended = once(worker, 'exit')
    const isReady = await Promise.race([once(worker, 'message').then(() => true), ended.then(() => false)])
    if (!isReady) throw new Error(`The process ${role} ended before it was ready`)
    const since = performance.now()
    let isExpected = false
    const stop = async () => {
      isExpected = true
      worker.process.kill('SIGTERM')
      const timer = setTimeout(() => worker.process.kill('SIGKILL'), stopTimeout)
      await ended
      clearTimeout(timer)
    }
    const current = { worker, stop }
    ended.then(([code, signal]) => {
      if (isExpected || stopping.signal.aborted || running.get(role) !== current) return
      log.error({ process: role, code, signal }, 'A process ended and is replaced')
      void replace(role, performance.now() - since > stableAfter ? 0 : firstDelay)
    })
    return current
  }

  const replace = async (role: ProcessRole, firstWait: number) => {
    for (let wait = firstWait; !stopping.signal.aborted; wait = Math.min(2 * wait || firstDelay, longestDelay)) {
      const isWaiting = await sleep(wait, true, { signal: stopping.signal }).catch(() => false)
      if (!isWaiting) return
      try {
        const next = await start(role)
        if (stopping.signal.aborted) await next.stop()
        else running.set(role, next)
        log.info({ process: role }, 'A process was replaced')
        return
      } catch (error) {
        log.error({ err: error, process: role }, 'A process could not be replaced; it is tried again')
      }
    }
  }

  const stopAll = async () => {
    stopping.abort()
    await Promise.all(Array.from(running.values(), ({ stop }) => stop()))
  }

  try {
    // The first one applies the migrations alone.
    for (const role of roles) running.set(role, await start(role))
  } catch (error) {
    await stopAll()
    throw error
  }

  let restarting: Promise<void> | null = null
  const restartAll = async () => {
    for (const role of roles) {
      const former = running.get(role)
      const next = await start(role)
      running.set(role, next)
      await former?.stop()
    }
    log.info('All processes were replaced')
  }
  return {
    /** Replaces all processes. The present ones stay where a new one does not start. */
    restart: () => {
      restarting ??= restartAll()
        .catch((error: unknown) => log.error({ err: error }, 'The restart ended; the remaining processes go on'))
        .finally(() => {
          restarting = null
        })
      return restarting
    },
    [Symbol.asyncDispose]: stopAll,
  }
}
