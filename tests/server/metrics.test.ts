import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'
import { readConfig } from '#api/config.ts'
import {
  countCacheRead,
  countEncoding,
  countMail,
  countPayment,
  countPlaybackReport,
  countStream,
  measureTask,
} from '#api/platform/telemetry/telemetry.ts'
import { customerBase } from '#contract/http.ts'
import { createAdmission } from '#server/admission.ts'
import { createRequestHandler } from '#server/handle-request.ts'
import { listen } from '#server/listen.ts'
import { createMetricsHandler, openTelemetry, serveMetrics } from '#server/telemetry.ts'
import { startTelemetry, type Telemetry } from '#server/telemetry-sdk.ts'
import { freePort } from '#tests/support/free-port.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { eventually } from '../support/eventually.ts'

/** A collector of OTLP that keeps what it receives. */
const received: { path: string; body: string }[] = []
const collector = createServer(async (request, response) => {
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += part
  received.push({ path: request.url ?? '', body })
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})
collector.listen(0, '127.0.0.1')
await once(collector, 'listening')
const address = collector.address()
const endpoint = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`

// Before the API, whose connections it measures.
const telemetry: Telemetry = startTelemetry({
  hasMetrics: true,
  otlp: { endpoint, serviceName: 'test', tracedShare: 1 },
})
const api = createTestApi()
const opened = new AsyncDisposableStack()
opened.use(telemetry.observe(api.deps))
const idle = { eventLoopDelay: () => 0, waitingForDatabase: () => 0 }
const handler = createRequestHandler({
  deps: api.deps,
  api,
  admission: createAdmission(idle, readConfig({}).overload),
  media: async () => false,
  storefront: {
    files: async () => false,
    routeOf: (path: string) => (path === '/kept' ? '/kept' : undefined),
    sharedDocumentKey: () => undefined,
    fetch: async () => new Response('kept', { headers: { 'x-cache': 'hit' } }),
  } as never,
})
const server = opened.use(await listen(handler, { host: '127.0.0.1', port: 0 }))
const origin = `http://127.0.0.1:${server.port}`
afterAll(async () => {
  await opened.disposeAsync()
  await telemetry[Symbol.asyncDispose]()
  collector.close()
})

// Before the first scrape, because the queue is not read each time.
const job = await api.owner.execute(sql`INSERT INTO jobs.job (name, data) VALUES ('failed-tasks', '{}') RETURNING id`)
afterAll(() => api.owner.execute(sql`DELETE FROM jobs.job WHERE id = ${job.rows[0]?.id}`))

const secret = 'hunter2-do-not-tell'

test('requests, statements, connections and cache reads are measured, without what visitors sent', async () => {
  const { code } = await createTenant(api)
  const headers = { authorization: `Bearer ${secret}`, cookie: `token=${secret}`, 'user-agent': secret }
  for (const path of [`${customerBase(code)}/categories`, `/${secret}`, `/api/v1/${secret}?q=${secret}`, '/kept'])
    await fetch(`${origin}${path}`, { headers }).then((response) => response.text())
  const text = await eventually(async () => {
    const metricsText = await telemetry.scrape()
    expect(metricsText).toContain('http_route="/kept"')
    return metricsText
  })
  expect(text).toMatch(
    /http_server_request_duration_count\{http_request_method="GET",http_route="\/api\/v1\/customers\/\{code\}\/categories",http_response_status_code="\d+"\} 1/,
  )
  expect(text).toContain('http_route="unknown"')
  expect(text).toMatch(/db_client_operation_duration_count\{db_operation_name="SELECT"\} [1-9]/)
  expect(text).toMatch(/db_client_connection_count\{state="idle"\} \d/)
  expect(text).toMatch(/marquee_cache_reads_total\{cache="guest_page",result="hit"\} [1-9]/)
  expect(text).toMatch(/process_memory_usage \d{6,}/)
  expect(text).not.toContain('hunter2')
})

test('every metric of the dashboard, of the alert rules and of the guide exists', async () => {
  measureTask('mails', true, 5)
  countMail('SENT')
  countPayment('order', 'sandbox', 'COMPLETED')
  countEncoding('DONE')
  countStream('OPENED')
  countPlaybackReport()
  countCacheRead('store', true)
  const text = await eventually(async () => {
    const metricsText = await telemetry.scrape()
    expect(metricsText).toContain('nodejs_eventloop_delay_p99')
    return metricsText
  })
  const existing = new Set([...text.matchAll(/^([a-z_0-9]+)[{ ]/gm)].map(([, name]) => name))
  const guide =
    readFileSync('docs/guides/observe.md', 'utf8').match(/(?<=`)(?:http|db|marquee|nodejs|process)_[a-z_0-9]+(?=`)/g) ??
    []
  const measured = guide.filter((name) => !/^(?:http_(?:route|response|request_method)|db_operation)/.test(name))
  // It lists what only an installation with a replica has, and queues whose jobs were read.
  const isOfOthers = (name: string) => /^marquee_(?:replica_lag|jobs)/.test(name)
  const isExisting = (name: string) => existing.has(name) || existing.has(`${name}_count`)
  expect(measured.length).toBeGreaterThan(20)
  expect(measured.filter((name) => !isExisting(name) && !isOfOthers(name))).toEqual([])
  for (const file of ['deploy/grafana/marquee.json', 'deploy/prometheus/alerts.yml']) {
    const named = readFileSync(file, 'utf8').match(/\b(?:http|db|marquee|nodejs|process)_[a-z_0-9]+(?=[{[\s"])/g) ?? []
    const metrics = new Set(named.filter((name) => !/^(?:http_(?:route|response|request)|db_operation)/.test(name)))
    expect(metrics.size, file).toBeGreaterThan(5)
    expect(
      [...metrics].filter((name) => !existing.has(name)),
      file,
    ).toEqual([])
  }
})

test('the collector receives metrics, and a span of each request with its statements, within the caller’s trace', async () => {
  const { code } = await createTenant(api)
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const answer = await fetch(`${origin}${customerBase(code)}/categories?q=${secret}`, {
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01`, 'x-request-id': 'traced-0001', cookie: secret },
  })
  await answer.text()
  const spans = await vi.waitFor(
    () => {
      const all = received
        .filter(({ path }) => path === '/v1/traces')
        .flatMap(({ body }) => JSON.parse(body).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap((scope): { traceId: string; name: string; parentSpanId?: string; spanId: string }[] => scope.spans)
        .filter((span) => span.traceId === traceId)
      expect(all.length).toBeGreaterThan(1)
      return all
    },
    { timeout: 20_000 },
  )
  const request = spans.find(({ name }) => name === 'GET /api/v1/customers/{code}/categories')
  expect(request).toMatchObject({ parentSpanId: 'b7ad6b7169203331' })
  expect(spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId).map(({ name }) => name)).toContain(
    'SELECT',
  )
  const sent = received.map(({ body }) => body).join('')
  expect(sent).toMatch(/"service.instance.id","value":\{"stringValue":"[0-9a-f-]{36}"/)
  expect(sent).not.toContain('hunter2')
})

test('the store’s port answers metrics only with a token, and only to those who send it', async () => {
  const token = 'a-token-of-sixteen-characters'
  await using store = await listen(
    async (request, response) => {
      if (!(await createMetricsHandler(telemetry, token)(request, response))) response.writeHead(404).end()
    },
    { host: '127.0.0.1', port: 0 },
  )
  const ask = (headers: Record<string, string>, path = '/metrics') =>
    fetch(`http://127.0.0.1:${store.port}${path}`, { headers })
  expect((await ask({})).status).toBe(401)
  expect((await ask({ authorization: `Bearer ${token}x` })).status).toBe(401)
  expect((await ask({}, '/other')).status).toBe(404)
  const allowed = await ask({ authorization: `Bearer ${token}` })
  expect(allowed.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(await allowed.text()).toContain('# TYPE http_server_request_duration histogram')
})

test('with a port of their own, metrics are served there and not at the store’s port', async () => {
  const port = await freePort()
  await using stack = new AsyncDisposableStack()
  const metrics = { host: '127.0.0.1', port, token: null }
  const atStore = await serveMetrics(telemetry, { metrics }, api.deps, stack)
  expect(atStore).toBeNull()
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200)
  expect((await fetch(`http://127.0.0.1:${port}/other`)).status).toBe(404)
})

test('without a setting nothing is measured, and no part of OpenTelemetry is loaded', async () => {
  expect(await openTelemetry(readConfig({}))).toBeNull()
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ resolve: (name, context, next) => (name.startsWith('@opentelemetry') && loaded.push(name), next(name, context)) })
    const { openTelemetry } = await import('./server/telemetry.ts')
    await import('./server/start.ts')
    await openTelemetry({ metrics: null, otlp: null })
    const without = loaded.length
    await (await openTelemetry({ metrics: { host: '127.0.0.1', port: null, token: null }, otlp: null }))[Symbol.asyncDispose]()
    console.log(JSON.stringify({ without, with: loaded.length > 0 }))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  expect(stdout, stderr).toBe('{"without":0,"with":true}\n')
})

test('a queue that has no jobs any more is measured as empty', async () => {
  const queue = 'emptied-queue'
  await api.owner.execute(sql`INSERT INTO jobs.queue SELECT (jsonb_populate_record(q, ${`{"name":"${queue}"}`}::jsonb)).*
    FROM jobs.queue q WHERE name = 'failed-tasks'`)
  await api.owner.execute(sql`INSERT INTO jobs.job (name, data) VALUES (${queue}, '{}')`)
  const now = performance.now.bind(performance)
  let later = 20_000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + later)
  expect(await telemetry.scrape()).toMatch(/marquee_jobs\S*queue="emptied-queue"\S* 1\b/)
  await api.owner.execute(sql`DELETE FROM jobs.job WHERE name = ${queue}`)
  later = 40_000
  expect(await telemetry.scrape()).toMatch(/marquee_jobs\S*queue="emptied-queue"\S* 0\b/)
  clock.mockRestore()
  await api.owner.execute(sql`DELETE FROM jobs.queue WHERE name = ${queue}`)
})
