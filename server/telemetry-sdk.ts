import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { BatchObservableResult, Meter, Observable } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { type IMetricReader, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '#api/config.ts'
import { type JobCount, readJobCounts } from '#api/platform/db/job-queues.ts'
import type { Replica } from '#api/platform/db/replica.ts'
import { type Health, healthFaults, measureWith, traceWith } from '#api/platform/telemetry/telemetry.ts'
import { createSpans } from './telemetry-spans.ts'

/** What is read when the metrics are read. */
export interface ObservedProcess {
  /** The connections of requests, which also read the job queue. */
  pool: pg.Pool
  log: Logger
  health: Health
  replica: Replica | null
}

export interface Telemetry extends AsyncDisposable {
  /** Adds what is read with each scrape and export. Disposing ends it. */
  observe: (observed: ObservedProcess) => Disposable
  /** The metrics in the text format of Prometheus. */
  scrape: () => Promise<string>
}

/** How often metrics are exported. Milliseconds. */
const exportInterval = 30_000
/** The job queue is read at most this often, however many scrape. Milliseconds. */
const jobsFreshFor = 10_000
/** The resolution of the event loop's delay. Milliseconds. */
const resolution = 10

/**
 * Loads OpenTelemetry: one set of instruments, read as Prometheus text, exported by OTLP, or both.
 * Traces are exported by OTLP. The exporters read `OTEL_EXPORTER_OTLP_HEADERS` themselves.
 */
export const startTelemetry = ({ hasMetrics, otlp }: { hasMetrics: boolean; otlp: Config['otlp'] }): Telemetry => {
  const resource = resourceFromAttributes({
    'service.name': otlp?.serviceName ?? 'marquee',
    // A collector would otherwise add up or overwrite the values of several processes.
    'service.instance.id': randomUUID(),
  })
  const prometheus = hasMetrics ? new PrometheusExporter({ preventServerStart: true }) : null
  const readers: IMetricReader[] = prometheus ? [prometheus] : []
  if (otlp)
    readers.push(
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ url: `${otlp.endpoint}/v1/metrics` }),
        exportIntervalMillis: exportInterval,
      }),
    )
  const provider = new MeterProvider({ resource, readers })
  const meter = provider.getMeter('marquee')
  const serializer = new PrometheusSerializer('', false, undefined, true, true)
  const spans = otlp ? createSpans({ resource, url: `${otlp.endpoint}/v1/traces`, share: otlp.tracedShare }) : null
  measureWith(meter)
  traceWith(spans?.recorder ?? null)
  return {
    observe: (observed) => observeProcess(meter, observed),
    scrape: async () => (prometheus ? serializer.serialize((await prometheus.collect()).resourceMetrics) : ''),
    [Symbol.asyncDispose]: async () => {
      measureWith(null)
      traceWith(null)
      // A collector that is away must not keep the process from stopping.
      await Promise.allSettled([provider.shutdown(), spans?.shutdown()])
    },
  }
}

/** Observes connections, jobs, the event loop, memory and processor time. */
const observeProcess = (meter: Meter, { pool, log, health, replica }: ObservedProcess): Disposable => {
  const gauge = (name: string, description: string, unit = '') =>
    meter.createObservableGauge(name, { description, unit })
  const gauges = {
    connections: gauge('db.client.connection.count', 'Connections of the pool by state.'),
    waiting: gauge('db.client.connection.pending_requests', 'Requests that wait for a connection.'),
    maxConnections: gauge('db.client.connection.max', 'Connections that the pool may open.'),
    services: gauge('marquee.service.up', 'Whether what the process uses works: 1, else 0.'),
    replicaLag: gauge('marquee.replica.lag', 'Seconds by which the replica is behind, while it answers.', 's'),
    jobs: gauge('marquee.jobs', 'Jobs of the queue by queue and state.'),
    jobAge: gauge('marquee.jobs.age', 'Seconds since the oldest job was due or began, by queue and state.', 's'),
    delayMean: gauge('nodejs.eventloop.delay.mean', 'Mean delay of the event loop since the last reading.', 's'),
    delayP99: gauge('nodejs.eventloop.delay.p99', '99 % of the delays since the last reading are shorter.', 's'),
    delayMax: gauge('nodejs.eventloop.delay.max', 'Longest delay since the last reading.', 's'),
    memory: gauge('process.memory.usage', 'Resident memory.', 'By'),
    uptime: gauge('process.uptime', 'Seconds since the start.', 's'),
  }
  const cpu = meter.createObservableCounter('process.cpu.time', { description: 'Processor time by mode.', unit: 's' })
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  const jobs = createJobReader(pool, log)
  const withEmptied = createEmptiedCounts()

  const observe = async (result: BatchObservableResult) => {
    result.observe(gauges.connections, pool.idleCount, { state: 'idle' })
    result.observe(gauges.connections, pool.totalCount - pool.idleCount, { state: 'used' })
    result.observe(gauges.waiting, pool.waitingCount)
    result.observe(gauges.maxConnections, pool.options.max)
    if (delay.count > 0) {
      const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolution / 1e3)
      result.observe(gauges.delayMean, seconds(delay.mean))
      result.observe(gauges.delayP99, seconds(delay.percentile(99)))
      result.observe(gauges.delayMax, seconds(delay.max))
      delay.reset()
    }
    result.observe(gauges.memory, process.memoryUsage.rss())
    result.observe(gauges.uptime, performance.now() / 1000)
    const { user, system } = process.cpuUsage()
    result.observe(cpu, user / 1e6, { mode: 'user' })
    result.observe(cpu, system / 1e6, { mode: 'system' })
    const { isDatabaseReachable, faults } = await health.check()
    result.observe(gauges.services, Number(isDatabaseReachable), { service: 'database' })
    for (const service of healthFaults.filter((name) => name !== 'replica' || replica))
      result.observe(gauges.services, Number(!faults.includes(service)), { service })
    // A series that is not observed would keep its last value.
    if (replica) result.observe(gauges.replicaLag, replica.lag() ?? Number.NaN)
    for (const { queue, state, count, oldestSeconds } of withEmptied(await jobs())) {
      result.observe(gauges.jobs, count, { queue, state })
      if (state === 'created' || state === 'active' || state === 'retry')
        result.observe(gauges.jobAge, oldestSeconds, { queue, state })
    }
  }
  const observables: Observable[] = [...Object.values(gauges), cpu]
  meter.addBatchObservableCallback(observe, observables)
  return {
    [Symbol.dispose]: () => {
      meter.removeBatchObservableCallback(observe, observables)
      delay.disable()
    },
  }
}

/** Returns a function that adds zeros for queues and states that had jobs before. */
const createEmptiedCounts = () => {
  const known = new Map<string, JobCount>()
  return (counts: readonly JobCount[]): JobCount[] => {
    const present = new Map(counts.map((each) => [`${each.queue} ${each.state}`, each]))
    for (const [key, each] of present) known.set(key, { ...each, count: 0, oldestSeconds: 0 })
    return [...new Map([...known, ...present]).values()]
  }
}

/** Reads the job queue, and its last counts while the database does not answer. */
const createJobReader = (pool: pg.Pool, log: Logger) => {
  let readAt = Number.NEGATIVE_INFINITY
  let latest: Promise<JobCount[]> = Promise.resolve([])
  return () => {
    if (performance.now() - readAt > jobsFreshFor) {
      readAt = performance.now()
      const former = latest
      latest = readJobCounts(pool).catch((error: unknown) => {
        log.info({ err: error }, 'The job queue could not be measured')
        return former
      })
    }
    return latest
  }
}
