import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '#api/config.ts'
import { pathOf } from '#contract/request-url.ts'
import { listen } from './listen.ts'
import type { DirectHandler } from './storefront.ts'
import type { ObservedProcess, Telemetry } from './telemetry-sdk.ts'

const metricsPath = '/metrics'

/**
 * Starts to measure and to trace, as the configuration asks for. Without `METRICS_PORT`,
 * `METRICS_TOKEN` and `OTEL_EXPORTER_OTLP_ENDPOINT` nothing is loaded, measured or traced. Opened
 * before the database, whose connections it observes.
 */
export const openTelemetry = async ({ metrics, otlp }: Pick<Config, 'metrics' | 'otlp'>) => {
  if (!metrics && !otlp) return null
  const { startTelemetry } = await import('./telemetry-sdk.ts')
  return startTelemetry({ hasMetrics: metrics !== null, otlp })
}

/** Compares digests, which have the same length, in constant time. */
const isSame = (candidate: string, token: string) => {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(candidate), digest(token))
}

/** Answers `/metrics` in the text format of Prometheus. With a token, only to those who send it. */
export const createMetricsHandler =
  (telemetry: Pick<Telemetry, 'scrape'>, token: string | null): DirectHandler =>
  async (request: IncomingMessage, response: ServerResponse) => {
    if (pathOf(request.url) !== metricsPath) return false
    const candidate = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (token !== null && !isSame(candidate, token)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer', 'cache-control': 'no-store' }).end()
      return true
    }
    const text = await telemetry.scrape()
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' })
    response.end(request.method === 'HEAD' ? undefined : text)
    return true
  }

/**
 * Serves the metrics of this process: on their own port if one is set. Returns the handler for the
 * store's port, which answers only if a token is set.
 */
export const serveMetrics = async (
  telemetry: Telemetry | null,
  { metrics }: Pick<Config, 'metrics'>,
  observed: ObservedProcess,
  opened: AsyncDisposableStack,
): Promise<DirectHandler | null> => {
  if (!telemetry) return null
  opened.use(telemetry.observe(observed))
  if (!metrics) return null
  const { host, port, token } = metrics
  const handler = createMetricsHandler(telemetry, token)
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      if (!(await handler(request, response))) response.writeHead(404).end()
    } catch (error) {
      observed.log.error({ err: error }, 'The metrics could not be read')
      if (!response.headersSent) response.writeHead(500).end()
    }
  }
  if (port !== null) opened.use(await listen((request, response) => void answer(request, response), { host, port }))
  return token === null ? null : handler
}
