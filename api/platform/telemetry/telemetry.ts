import { statfs } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Meter } from '@opentelemetry/api'
import type pg from 'pg'
import { createFaultLog, type FaultLines } from '#api/platform/log/log.ts'

/** Boundaries of histograms, in seconds: answers, statements and tasks take from 1 ms to 10 s. */
const boundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const createInstruments = (meter: Meter) => {
  const seconds = (name: string, description: string) =>
    meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: boundaries } })
  const count = (name: string, description: string) => meter.createCounter(name, { description })
  return {
    requests: seconds('http.server.request.duration', 'Requests by method, route and status, in seconds.'),
    statements: seconds('db.client.operation.duration', 'Statements of the database by operation, in seconds.'),
    tasks: seconds('marquee.task.duration', 'Background tasks of a store by task and outcome, in seconds.'),
    cache: count('marquee.cache.reads', 'Reads of a cache by cache and result.'),
    payments: count('marquee.payments', 'Settled payments and charges by kind, provider and outcome.'),
    mails: count('marquee.mails', 'Attempts to send an email by outcome.'),
    encodings: count('marquee.encodings', 'Attempts to encode a video by outcome.'),
    streams: count('marquee.streams', 'Requests for a stream by outcome: OPENED or the code of the refusal.'),
    playbackReports: count('marquee.playback.reports', 'Reports of players, one every ten seconds of each stream.'),
  }
}

let instruments: ReturnType<typeof createInstruments> | null = null

/**
 * Starts to measure, for the whole process. Null stops it. Without a meter a measurement costs one
 * comparison.
 */
export const measureWith = (meter: Meter | null): void => {
  instruments = meter && createInstruments(meter)
}

/** Whether measurements are recorded. */
const isMeasuring = (): boolean => instruments !== null

/** Records a request whose response has ended. */
export const measureRequest = (request: { method: string; route: string; status: number; ms: number }): void =>
  instruments?.requests.record(request.ms / 1000, {
    'http.request.method': methodOf(request.method),
    'http.route': request.route,
    'http.response.status_code': request.status,
  })

/** Anyone can send any method, and each would be a series of its own. */
const methodOf = (method: string) => (/^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method) ? method : '_OTHER')

/** @param operation The first word of the statement */
const measureStatement = (operation: string, ms: number): void =>
  instruments?.statements.record(ms / 1000, { 'db.operation.name': operation })

/** Records a background task of one store. `ms` are milliseconds. */
export const measureTask = (task: string, hasFailed: boolean, ms: number): void =>
  instruments?.tasks.record(ms / 1000, { task, outcome: hasFailed ? 'FAILED' : 'DONE' })

type CacheName = 'guest_page' | 'product_index' | 'store'

/** @param isHit Whether the entry was there and of the present version */
export const countCacheRead = (cache: CacheName, isHit: boolean): void =>
  instruments?.cache.add(1, { cache, result: isHit ? 'hit' : 'miss' })

/** Counts a payment or a charge that an answer of its provider changed. */
export const countPayment = (kind: 'order' | 'charge', provider: string, outcome: string): void =>
  instruments?.payments.add(1, { kind, provider, outcome })

/** Counts an attempt to send an email. */
export const countMail = (outcome: 'SENT' | 'POSTPONED' | 'FAILED'): void => instruments?.mails.add(1, { outcome })

/** @param outcome DONE, or the code of the failure */
export const countEncoding = (outcome: string): void => instruments?.encodings.add(1, { outcome })

/** @param outcome OPENED, or the code of the refusal */
export const countStream = (outcome: string): void => instruments?.streams.add(1, { outcome })

/** Counts a player's report of its progress. */
export const countPlaybackReport = (): void => instruments?.playbackReports.add(1)

/** A request whose response has ended, as its span shows it. */
export interface TracedRequest {
  method: string
  route: string
  customer: string | undefined
  status: number
  requestId: string
}

/** Records spans. The process that has loaded OpenTelemetry provides it. */
export interface SpanRecorder {
  /** Runs the handling of a request in its span. */
  inRequest: <Answer>(request: IncomingMessage, work: () => Answer) => Answer
  endRequest: (request: IncomingMessage, ended: TracedRequest) => void
  /** Starts the span of a statement within that of the request. The function ends it. */
  startStatement: (operation: string) => (hasFailed: boolean) => void
}

let recorder: SpanRecorder | null = null

/** Starts to record spans, for the whole process. Null stops it. */
export const traceWith = (spanRecorder: SpanRecorder | null): void => {
  recorder = spanRecorder
}

/** Whether spans are recorded. */
const isTracing = (): boolean => recorder !== null

/** Runs the handling of a request, in a span where spans are recorded. */
export const traceRequest = <Answer>(request: IncomingMessage, work: () => Answer): Answer =>
  recorder ? recorder.inRequest(request, work) : work()

/** Ends the span of a request whose response has ended. */
export const endRequestSpan = (request: IncomingMessage, ended: TracedRequest): void =>
  recorder?.endRequest(request, ended)

/** Starts the span of a statement. Returns the function that ends it, if spans are recorded. */
const startStatementSpan = (operation: string): ((hasFailed: boolean) => void) | undefined =>
  recorder?.startStatement(operation)

type Query = (...args: unknown[]) => unknown

/** The text of a statement, as the arguments of `query` have it. */
const textOf = (first: unknown): string => {
  if (typeof first === 'string') return first
  return typeof first === 'object' && first !== null && 'text' in first && typeof first.text === 'string'
    ? first.text
    : ''
}

const operations = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN|COMMIT|ROLLBACK|SET|LISTEN|NOTIFY)\b/i

/** The first word of a statement, which is the same for few kinds. */
const operationOf = (text: string) => operations.exec(text)?.[1]?.toUpperCase() ?? 'OTHER'

/**
 * Measures the statements of the pool's connections, if the process measures or traces. Otherwise
 * the connections remain as they are.
 */
export const measureStatements = (pool: pg.Pool): void => {
  if (!isMeasuring() && !isTracing()) return
  pool.on('connect', (client) => {
    // The overloads of `query` differ in their arguments only, which are passed on.
    const query = client.query.bind(client) as Query
    client.query = ((...args: unknown[]) => {
      const startedAt = performance.now()
      const operation = operationOf(textOf(args[0]))
      const endSpan = startStatementSpan(operation)
      const end = (error?: unknown) => {
        measureStatement(operation, performance.now() - startedAt)
        endSpan?.(error instanceof Error)
      }
      const callback = args.at(-1)
      if (typeof callback === 'function')
        args[args.length - 1] = (...results: unknown[]) => {
          end(results[0])
          return callback(...results)
        }
      const result = query(...args)
      if (result instanceof Promise) result.then(() => end(), end)
      return result
    }) as typeof client.query
  })
}

export const healthFaults = ['mail', 'media', 'dns', 'replica', 'disk', 'databaseDisk', 'clock'] as const
/** Without these a process still serves, so they are no reason to send visitors to another one. */
type HealthFault = (typeof healthFaults)[number]

/** The state of a process and of what it uses. */
export interface Health {
  /** Reads the present state. Writes a log line when it changes. */
  check: () => Promise<{ isDatabaseReachable: boolean; faults: HealthFault[] }>
  /** Whether the database did not answer the last check, or a request since. */
  isDatabaseFaulty: () => boolean
  /** Notes that a request got no connection to the database. */
  onDatabaseUnavailable: (error: unknown) => void
  /** Notes that the database refused a write because its disk is full. */
  onDatabaseDiskFull: (error: unknown) => void
}

/** A service that is observed by its use. `probe` tries it again. */
interface ObservedService {
  isFaulty: () => boolean
  probe: () => Promise<unknown>
  /** The milliseconds after which it is also tried while it works; by default it is not. */
  probeEvery?: number
}

export interface HealthParts {
  /** See `readClockSkew`. */
  readClockSkew: () => Promise<number>
  /** See `probeDatabaseDisk`. */
  probeDatabaseDisk: () => Promise<void>
  log: FaultLines
  dataFolder: string
  services: Partial<Record<HealthFault, ObservedService>>
}

/** Milliseconds by which the clocks of two machines may differ. */
const largestSkew = 2_000

/** Whether clocks differ so much that sign-ins, links and payments are affected. */
export const isClockWrong = (skew: number): boolean => Math.abs(skew) > largestSkew

/** Free bytes of a disk below which uploads and the embedded database are at risk. */
export const minFreeBytes = 1e9

/** A service that failed is tried again at most this often. Milliseconds. */
const probeInterval = 5_000

/** Observes what the process uses: its database, clock and disk, and services by their use. */
export const createHealth = ({ readClockSkew, probeDatabaseDisk, log, dataFolder, services }: HealthParts): Health => {
  const database = createFaultLog(log, {
    failed: 'The database cannot be reached',
    recovered: 'The database can be reached again',
  })
  const clock = createFaultLog(log, {
    failed: 'The clock of this machine differs from that of the database',
    recovered: 'The clock of this machine is that of the database again',
  })
  const disk = createFaultLog(log, {
    failed: 'The disk of the data folder is almost full',
    recovered: 'The disk of the data folder has free space again',
  })
  const databaseDisk = createFaultLog(log, {
    failed: 'The disk of the database is full',
    recovered: 'The disk of the database has free space again',
  })
  const local: ObservedService = { isFaulty: () => false, probe: async () => {} }
  const observed: HealthParts['services'] = {
    ...services,
    disk: { ...local, isFaulty: disk.isFaulty },
    databaseDisk: { isFaulty: databaseDisk.isFaulty, probe: () => probeDatabaseDisk().then(databaseDisk.onSuccess) },
    clock: { ...local, isFaulty: clock.isFaulty },
  }
  const probedAt = new Map<HealthFault, number>()
  const probing = new Set<HealthFault>()
  const isServiceFaulty = (name: HealthFault) => {
    const { isFaulty, probe, probeEvery = Number.POSITIVE_INFINITY } = observed[name] ?? local
    const interval = isFaulty() ? probeInterval : probeEvery
    const isDue = performance.now() - (probedAt.get(name) ?? Number.NEGATIVE_INFINITY) > interval
    if (isDue && !probing.has(name)) {
      probedAt.set(name, performance.now())
      probing.add(name)
      // The next check shows its outcome.
      probe()
        .catch(() => {})
        .finally(() => probing.delete(name))
    }
    return isFaulty()
  }
  const readSkew = async () => {
    try {
      const skew = await readClockSkew()
      database.onSuccess()
      return skew
    } catch (error) {
      database.onFailure(error)
      return null
    }
  }
  return {
    check: async () => {
      const [skew, space] = await Promise.all([readSkew(), statfs(dataFolder).catch(() => null)])
      if (skew !== null && isClockWrong(skew)) clock.onFailure(new Error(`${Math.round(skew / 1000)} seconds ahead`))
      else if (skew !== null) clock.onSuccess()
      const free = space ? space.bavail * space.bsize : Number.POSITIVE_INFINITY
      if (free < minFreeBytes) disk.onFailure(new Error(`${Math.round(free / 1e6)} MB left at ${dataFolder}`))
      else disk.onSuccess()
      const faults = healthFaults.filter(isServiceFaulty)
      return { isDatabaseReachable: skew !== null, faults }
    },
    isDatabaseFaulty: database.isFaulty,
    onDatabaseUnavailable: database.onFailure,
    onDatabaseDiskFull: databaseDisk.onFailure,
  }
}

/** How often a process looks at its own state, so that the log has it. Milliseconds. */
const watchInterval = 30_000

/** How often it looks while its database is away, so that the log has the end. Milliseconds. */
const outageInterval = 1_000

/** Checks the health of this process regularly. */
export const watchHealth = ({ check, isDatabaseFaulty }: Health): Disposable => {
  let checkedAt = performance.now()
  let isChecking = false
  const timer = setInterval(async () => {
    if (isChecking || (performance.now() - checkedAt < watchInterval && !isDatabaseFaulty())) return
    checkedAt = performance.now()
    isChecking = true
    await check().catch(() => {})
    isChecking = false
  }, outageInterval)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
