/**
 * Segments of a film per second: from the program, which asks for the right with each; through
 * nginx, which serves the file; and from nginx alone, without authorization. By itself: `node
 * tests/bench/segments.ts --seconds 5`.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { installNginx, startNginx } from '#tests/support/nginx.ts'
import { type BenchStore, option, startStore } from './store.ts'

const sizes = { '100 kB': 100_000, '2.5 MB': 2_500_000 }
/** The proxy's end of the wire, by which the store knows it from the bench. */
const proxyAddress = '127.0.0.2'

export async function watchSegments(seconds: number) {
  const missing = await installNginx()
  if (missing) {
    console.log(`\nSegments are not measured: ${missing}`)
    return
  }
  using store = await startStore({ MEDIA_ACCEL: '/stored-media/', TRUSTED_PROXIES: proxyAddress })
  const media = join(store.env.MARQUEE_DATA ?? '', 'media')
  const { headers, prefix, asset } = await play(store)
  for (const folder of [join(media, asset, 'bench'), join(media, `${asset}-preview`, 'bench')]) {
    await mkdir(folder, { recursive: true })
    for (const bytes of Object.values(sizes)) await writeFile(join(folder, `${bytes}.m4s`), Buffer.alloc(bytes, 7))
  }
  await using nginx = await startNginx(`
    location / { proxy_pass http://127.0.0.1:${store.port}; proxy_bind ${proxyAddress}; proxy_set_header Host $http_host; }
    location /stored-media/ { internal; alias ${media}/; }
    location /alone/ { alias ${media}/; }`)
  const rows = []
  for (const [size, bytes] of Object.entries(sizes))
    for (const [who, port, path] of [
      ['Node, the right asked', store.port, `${prefix}/bench/${bytes}.m4s`],
      ['Node, nobody asked (a preview)', store.port, `/p/${asset}-preview/bench/${bytes}.m4s`],
      ['nginx, handed the file, the right asked', nginx.port, `${prefix}/bench/${bytes}.m4s`],
      ['nginx alone, nobody asked', nginx.port, `/alone/${asset}/bench/${bytes}.m4s`],
    ] as const) {
      const load = (duration: number) =>
        autocannon({ url: `http://127.0.0.1:${port}${path}`, connections: 10, duration, headers })
      await load(1)
      const before = store.cpu()
      const result = await load(seconds)
      const count = Math.max(1, result.requests.total)
      rows.push({
        segment: size,
        'sent by': who,
        'segments/s': Math.round(result.requests.average),
        'MB/s': Math.round(result.throughput.average / 1_000_000),
        'store CPU ms': ((store.cpu() - before) / count).toFixed(2),
        statements: port === store.port ? await statementsOf(store, path, headers) : '',
        'p50 ms': result.latency.p50,
        'p99 ms': result.latency.p99,
        'not 2xx': result.non2xx,
      })
    }
  console.log('\nSegments of a film, 10 connections')
  console.table(rows)
}

/**
 * How many statements a segment sends to the database; the least of some, as work in the background
 * is not meant.
 */
async function statementsOf(store: BenchStore, path: string, headers: Record<string, string>) {
  let min = Number.POSITIVE_INFINITY
  for (let time = 0; time < 8; time++) {
    const before = (await store.read('statements')).statements
    await store.get('aurora', path, headers)
    min = Math.min(min, (await store.read('statements')).statements - before)
  }
  return min
}

/**
 * A member who plays the film: the headers of their browser, and the signed address of the film's
 * folder.
 */
async function play(store: BenchStore) {
  const base = '/api/v1/customers/aurora'
  const host = `aurora.localhost:${store.port}`
  const request = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${store.port}${base}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await answer.json()) as Record<string, unknown>
  }
  const { token } = await request('/login', { email: 'member@example.com', password: 'marquee-demo' })
  const { items } = (await request('/new-search?size=100')) as { items: { id: string }[] }
  for (const { id } of items) {
    const { manifestUrl } = await request(
      `/products/${id}/playback`,
      { acceptsFulfillment: true },
      { authorization: `Bearer ${token}` },
    )
    const asset = /^\/m\/[^/]+\/(video\/[^/]+)\/master\.m3u8$/.exec(String(manifestUrl))?.[1]
    if (asset) {
      const prefix = String(manifestUrl).slice(0, -'/master.m3u8'.length)
      return { asset, prefix, headers: { host, cookie: `token=${token}` } }
    }
  }
  throw new Error('The member may play nothing of the demo.')
}

if (import.meta.main) await watchSegments(option('seconds', 5))
