/**
 * What OpenTelemetry costs a request: stores without an endpoint, with one, and with one trace in
 * ten, asked by turns. The collector takes what is sent and forgets it. By itself: `node
 * tests/bench/telemetry.ts --requests 500 --rounds 4`. Needs a build.
 */
import { createServer } from 'node:http'
import { median, printFigures, record } from './figures.ts'
import { type BenchStore, memberToken, option, startStore } from './store.ts'

const [requests, rounds] = [option('requests', 500), option('rounds', 4)]
const clients = 4

let [exports, bytes] = [0, 0]
const collector = createServer(async (request, response) => {
  for await (const part of request) bytes += part.length
  exports++
  response.setHeader('content-type', 'application/json').end('{}')
})
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
const address = collector.address()
if (address === null || typeof address === 'string') throw new Error('The collector has no port.')
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${address.port}` }

const settings: Record<string, NodeJS.ProcessEnv> = {
  'no endpoint': {},
  'all traces': endpoint,
  'one trace in ten': { ...endpoint, OTEL_TRACES_SAMPLER_ARG: '0.1' },
}
const stores: { name: string; store: BenchStore; token: string }[] = []
for (const [name, env] of Object.entries(settings)) {
  const store = await startStore(env)
  stores.push({ name, store, token: await memberToken(store) })
}

/** Returns the milliseconds of CPU of a request. */
const cpuOf = async (store: BenchStore, path: string, headers: Record<string, string>): Promise<number> => {
  const before = store.cpu()
  let sent = 0
  const ask = async () => {
    while (sent++ < requests) {
      const { status } = await store.get('aurora', path, headers)
      if (status !== 200) throw new Error(`${path}: ${status}`)
    }
  }
  await Promise.all(Array.from({ length: clients }, ask))
  return (store.cpu() - before) / requests
}

const pages = {
  'guest, home': { path: '/', hasMember: false },
  'member, list by the API': { path: '/api/v1/customers/aurora/new-search?size=24', hasMember: true },
  'member, home': { path: '/', hasMember: true },
}
for (const [page, { path, hasMember }] of Object.entries(pages)) {
  const measured = new Map<string, number[]>()
  for (let round = 0; round <= rounds; round++)
    for (const { name, store, token } of stores) {
      const headers: Record<string, string> = {
        accept: path === '/' ? 'text/html' : 'application/json',
        'accept-encoding': 'gzip',
        ...(hasMember && (path === '/' ? { cookie: `token=${token}` } : { authorization: `Bearer ${token}` })),
      }
      const cpu = await cpuOf(store, path, headers)
      // The first round warms up.
      if (round > 0) measured.set(name, [...(measured.get(name) ?? []), cpu])
    }
  for (const [name, times] of measured) record(`${page}, ${name}: CPU of a request, median`, median(times), 'ms')
}
record('requests to the collector', exports, '')
record('sent to the collector', bytes / 1e6, 'MB')
printFigures()
for (const { store } of stores) await store.stop()
collector.close()
