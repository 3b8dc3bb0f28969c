import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * `well`: without faults. `silent`: never answers a request. `stalling`: sends headers and the
 * first half of a file. `stalled-refusal`: begins an error answer and does not end it. `breaking`:
 * breaks every connection after a part of a file. `overloaded`: answers 503 SlowDown to every
 * request. `full`: refuses new files and serves those it has.
 */
type StorageBehaviour = 'well' | 'silent' | 'stalling' | 'stalled-refusal' | 'breaking' | 'overloaded' | 'full'

export interface BadStorage extends AsyncDisposable {
  place: { endpoint: string; bucket: string; region: string; accessKey: string; secretKey: string; prefix: string }
  behave: (behaviour: StorageBehaviour, times?: number) => void
  read: () => { requests: number; maxAtOnce: number; sockets: number }
  /** Sets the counts to zero. */
  count: () => void
}

const pieceBytes = 100_000

/**
 * A storage on loopback with the part of S3 that Marquee uses. It accepts every signature, and has
 * the faults that a test chooses.
 */
export const startBadStorage = async (): Promise<BadStorage> => {
  const files = new Map<string, Buffer>()
  const sockets = new Set<Socket>()
  let behaviour: StorageBehaviour = 'well'
  let left = Number.POSITIVE_INFINITY
  const counted = { requests: 0, maxAtOnce: 0 }
  let atOnce = 0

  const server = createServer((request, response) => {
    counted.requests++
    atOnce++
    counted.maxAtOnce = Math.max(counted.maxAtOnce, atOnce)
    response.once('close', () => atOnce--)
    const now = left > 0 ? behaviour : 'well'
    left--
    void answer(files, now, request, response)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    place: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: 'marquee-media',
      region: 'us-east-1',
      accessKey: 'store',
      secretKey: 'a-secret-of-the-test',
      prefix: '',
    },
    behave: (next, times = Number.POSITIVE_INFINITY) => {
      behaviour = next
      left = times
    },
    read: () => ({ ...counted, sockets: sockets.size }),
    count: () => Object.assign(counted, { requests: 0, maxAtOnce: 0 }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const fault = '<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>'

const answer = async (
  files: Map<string, Buffer>,
  behaviour: StorageBehaviour,
  request: IncomingMessage,
  response: ServerResponse,
) => {
  const { method = 'GET' } = request
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://storage.test')
  const key = pathname.slice('/marquee-media/'.length)
  const refuse = (status: number) =>
    response.writeHead(status, { 'content-type': 'application/xml', 'content-length': fault.length }).end(fault)
  if (behaviour === 'silent') return
  if (behaviour === 'stalled-refusal') {
    response.writeHead(500, { 'content-type': 'application/xml', 'content-length': 1_000 }).write(fault)
    return
  }
  if (behaviour === 'overloaded') return refuse(503)
  if (method === 'PUT') {
    const bytes = await buffer(request)
    if (behaviour === 'full') return refuse(507)
    files.set(key, bytes)
    return response.writeHead(200, { etag: etagOf(bytes) }).end()
  }
  if (method === 'DELETE') {
    files.delete(key)
    return response.writeHead(204).end()
  }
  if (searchParams.has('list-type')) {
    const matching = [...files].filter(([name]) => name.startsWith(searchParams.get('prefix') ?? ''))
    const list = `<?xml version="1.0"?><ListBucketResult>${matching.map(entryOf).join('')}</ListBucketResult>`
    return response.writeHead(200, { 'content-type': 'application/xml' }).end(list)
  }
  const file = files.get(key)
  if (!file) return refuse(404)
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  const part = from === undefined ? file : file.subarray(Number(from), to ? Number(to) + 1 : undefined)
  response.writeHead(from === undefined ? 200 : 206, {
    'content-length': part.length,
    etag: etagOf(file),
    'last-modified': 'Sun, 22 Nov 2026 00:00:00 GMT',
  })
  if (method === 'HEAD') return response.end()
  if (behaviour === 'stalling') {
    response.flushHeaders()
    return response.write(part.subarray(0, Math.max(0, file.length / 2 - Number(from ?? 0))))
  }
  if (behaviour === 'breaking' && part.length > pieceBytes)
    return response.write(part.subarray(0, pieceBytes), () => response.destroy())
  return response.end(part)
}

const etagOf = (bytes: Buffer) => `"${bytes.length}-${bytes[0]}"`

const entryOf = ([name, bytes]: [string, Buffer]) =>
  `<Contents><Key>${name}</Key><Size>${bytes.length}</Size><LastModified>2026-11-22T00:00:00.000Z</LastModified></Contents>`
