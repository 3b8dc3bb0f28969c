import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { readConfig } from '#api/config.ts'
import { networkOf } from '#api/platform/limits/rate-limits.ts'
import { isRemoteClient, type Listening, listen } from '#server/listen.ts'
import { eventually } from '../support/eventually.ts'

const defaults = readConfig({}).connections

const opened: { destroy: () => void }[] = []
const servers: Listening[] = []
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]()
})

const serve = async (handler: RequestListener, connections: Partial<typeof defaults>, counted = false) => {
  const settings = { connections: { ...defaults, ...connections }, isCounted: () => counted }
  const server = await listen(handler, { host: '127.0.0.1', port: 0, ...settings })
  servers.push(server)
  return server.port
}

/** A connection under the test's control; `received` is its answer so far. */
const open = (port: number, localAddress = '127.0.0.1') => {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  opened.push(socket)
  let received = ''
  socket.on('error', () => undefined).setEncoding('latin1')
  return {
    socket,
    send: (text: string) => void socket.write(text),
    listen: () => void socket.on('data', (part: string) => (received += part)),
    received: () => received,
    ended: () => vi.waitFor(() => expect(socket.closed).toBe(true), { timeout: 20_000 }),
  }
}
const get = 'GET / HTTP/1.1\r\nhost: store.test\r\n\r\n'

const film = Buffer.alloc(48_000_000)
const sendFilm: RequestListener = (_, response) => void response.end(film)

test('a client that reads nothing is disconnected, and one that reads slowly is not', async () => {
  const cut: Socket[] = []
  const port = await serve(
    (request, response) => {
      request.socket.once('close', () => cut.push(request.socket))
      sendFilm(request, response)
    },
    { writeTimeout: 1_000 },
  )
  const slow = open(port)
  let read = 0
  slow.socket.on('data', (part) => {
    read += part.length
    slow.socket.pause()
    setTimeout(() => slow.socket.resume(), 5)
  })
  slow.send(get)
  const stalled = open(port)
  stalled.socket.pause()
  stalled.send(get)
  await vi.waitFor(() => expect(cut).toHaveLength(1), { timeout: 20_000 })
  await vi.waitFor(() => expect(read).toBeGreaterThan(film.length), { timeout: 25_000 })
})

test('an answer in preparation is not cut, however long it takes', async () => {
  const answer = Promise.withResolvers<void>()
  const cut = Promise.withResolvers<void>()
  const port = await serve(
    async (request, response) => {
      if (request.url === '/film') {
        request.socket.once('close', () => cut.resolve())
        return sendFilm(request, response)
      }
      await answer.promise
      response.end('made')
    },
    { writeTimeout: 500 },
  )
  const patient = open(port)
  patient.listen()
  patient.send(get)
  const stalled = open(port)
  stalled.socket.pause()
  stalled.send(get.replace('/', '/film'))
  // Its end shows that the timeout has passed for both.
  await cut.promise
  answer.resolve()
  await eventually(() => expect(patient.received()).toContain('made'))
})

test.each([
  ['that never ends its headers', 'GET / HTTP/1.1\r\nhost: store.test\r\n', { headersTimeout: 300 }],
  ['that sends nothing at all', '', { headersTimeout: 300 }],
  [
    'whose body does not come',
    'POST / HTTP/1.1\r\nhost: store.test\r\ncontent-length: 9\r\n\r\na',
    { bodyTimeout: 300 },
  ],
  ['that asks for nothing more', get, { keepAliveTimeout: 300 }],
])('a connection %s is closed', async (_, text, connections) => {
  const port = await serve((request, response) => void request.resume().once('end', () => response.end()), connections)
  const client = open(port)
  client.listen()
  client.send(text)
  await client.ended()
})

test('connections of one network are limited, without affecting others', async () => {
  const port = await serve((_, response) => void response.end('served'), { maxPerAddress: 3 }, true)
  const answered = async (localAddress?: string) => {
    const client = open(port, localAddress)
    client.listen()
    client.send(get)
    await eventually(() => expect(client.socket.closed || client.received().includes('served')).toBe(true))
    return client
  }
  const first = await answered()
  await Promise.all([answered(), answered()])
  const refused = await answered()
  expect([refused.received(), refused.socket.closed]).toEqual(['', true])
  expect((await answered('127.0.0.2')).received()).toContain('served')
  first.socket.destroy()
  await eventually(async () => expect((await answered()).received()).toContain('served'))
})

test('connections of a process are limited', async () => {
  const port = await serve((_, response) => void response.end('served'), { max: 2 })
  const [first, second] = [open(port), open(port)]
  await Promise.all([once(first.socket, 'connect'), once(second.socket, 'connect')])
  const third = open(port)
  third.listen()
  third.send(get)
  await third.ended()
  expect(third.received()).toBe('')
  second.listen()
  second.send(get)
  await eventually(() => expect(second.received()).toContain('served'))
})

test('an IPv4 address is counted by itself, an IPv6 address by its /64 network', () => {
  expect(networkOf('192.0.2.7')).not.toBe(networkOf('192.0.2.8'))
  for (const address of [
    '2001:db8:0:7:ffff:1:2:3',
    '2001:DB8::7:0:0:0:9',
    '2001:0db8:0000:0007::',
    '2001:db8:0:7::1%eth0',
  ])
    expect(networkOf(address)).toBe(networkOf('2001:db8:0:7::1'))
  expect(networkOf('2001:db8:0:8::1')).not.toBe(networkOf('2001:db8:0:7::1'))
})

test('connections of the machine itself and of trusted proxies are not counted for a visitor', () => {
  const counts = isRemoteClient(new Set(['10.0.0.2']))
  expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '10.0.0.2', '::ffff:10.0.0.2'].filter(counts)).toEqual(
    [],
  )
  expect(['10.0.0.3', '::ffff:10.0.0.3', '2001:db8::1'].filter(counts)).toHaveLength(3)
})

test('a request that came before an idle connection is closed is answered, also by a busy process', async () => {
  const port = await serve((_, response) => void response.end('answered'), {})
  const server = servers.at(-1)!
  const client = open(port)
  client.listen()
  client.send(get)
  await eventually(() => expect(client.received()).toContain('answered'))
  const closing = server[Symbol.asyncDispose]()
  // Timers run next, before anything is read.
  await setImmediate()
  client.send(get.replace('GET /', 'GET /again'))
  // Longer than an idle connection stays open: the request waits in the system meanwhile.
  const busyUntil = performance.now() + 1_500
  while (performance.now() < busyUntil);
  await client.ended()
  await closing
  const [, second] = client.received().split('answered')
  expect(second).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*connection: close/i)
})
