import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMediaHandler } from '#api/http/media-requests.ts'
import { videos } from '#api/modules/catalog/catalog.schema.ts'
import { setDrm } from '#api/modules/playback/protection.ts'
import { staffMemberships } from '#api/modules/staff/staff.schema.ts'
import type { LessonId } from '#contract/ids.ts'
import { buy } from '#tests/support/buying.ts'
import { addLesson, asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { ctxOf } from '#tests/support/reconciling.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const media = await openMedia(api)

const received: Record<string, unknown>[] = []
const server = createServer((request, response) => {
  received.push({ method: request.method, url: request.url, ...JSON.parse(String(request.headers['x-marquee-play'])) })
  if (request.url === '/refuses') return response.writeHead(403).end('the licence server’s own words')
  if (request.url === '/refuses-at-length') return response.writeHead(403).end(Buffer.alloc(4_000_000))
  if (request.url === '/breaks') return response.destroy()
  if (request.url === '/floods') return flood(response)
  request.on('data', () => {})
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('a licence'))
})
/** Sends an endless response until its connection closes. */
const flood = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/octet-stream' })
  const writeChunks = () => {
    while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
  }
  response.on('drain', writeChunks)
  writeChunks()
}
const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => void server.close())

/** Sends a whole licence request, even when it is answered before its end. */
const post = async (path: string, token: string, body: Buffer, length?: number) => {
  const headers = { ...asMember(token), ...(length === undefined ? {} : { 'content-length': length }) }
  const outgoing = send({ host: '127.0.0.1', port: media.port, path, method: 'POST', headers })
  outgoing.end(body)
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) }
}

const arrange = async (path = '/widevine?account=secret') => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const film = await createFilm(tenant, { access: 'MEMBER', price: null })
  const drm = {
    'com.widevine.alpha': { licenseUrl: origin() + path },
    'com.apple.fps': { licenseUrl: `${origin()}/fairplay`, certificateUrl: `${origin()}/certificate` },
  }
  await tenant.within((db) =>
    db
      .update(videos)
      .set({ drm })
      .where(and(eq(videos.customerId, tenant.id), eq(videos.id, film.video.id))),
  )
  const playback = await member.client.playback.startPlayback({ id: film.id })
  return { tenant, member, film, playback }
}

test('licences are requested below the stream’s URL, which hides the licence server', async () => {
  const { tenant, member, film, playback } = await arrange()
  const prefix = playback.manifestUrl.replace('/master.m3u8', '')
  expect(playback.drm).toEqual({
    'com.widevine.alpha': { licenceUrl: `${prefix}/licence/com.widevine.alpha`, certificateUrl: null },
    'com.apple.fps': {
      licenceUrl: `${prefix}/licence/com.apple.fps`,
      certificateUrl: `${prefix}/licence/com.apple.fps/certificate`,
    },
  })
  const widevine = playback.drm!['com.widevine.alpha']!.licenceUrl
  const answer = await media.get(widevine, asMember(member.token), 'POST')
  expect(answer).toMatchObject({ status: 200, text: 'a licence' })
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(received.at(-1)).toEqual({
    method: 'POST',
    url: '/widevine?account=secret',
    customerId: tenant.id,
    memberId: member.id,
    productId: film.id,
    lessonId: null,
    playId: playback.playId,
    asset: film.video.asset,
    keySystem: 'com.widevine.alpha',
  })
  const certificate = await media.get(playback.drm!['com.apple.fps']!.certificateUrl!, asMember(member.token))
  expect(certificate.status).toBe(200)
  expect(received.at(-1)).toMatchObject({ method: 'GET', url: '/certificate' })
})

test('a licence is refused without the session or an open play, and for another key system', async () => {
  const { tenant, member, film, playback } = await arrange()
  const { licenceUrl } = playback.drm!['com.widevine.alpha']!
  const other = await tenant.createMember()
  const before = received.length
  const status = async (url: string, headers = {}, method = 'POST') => (await media.get(url, headers, method)).status
  expect(await status(licenceUrl)).toBe(403)
  expect(await status(licenceUrl, asMember(other.token))).toBe(403)
  expect(await status(licenceUrl, asMember(member.token), 'GET')).toBe(405)
  expect(await status(licenceUrl.replace('widevine.alpha', 'microsoft.playready'), asMember(member.token))).not.toBe(
    200,
  )
  expect(await status(licenceUrl.replace('com.widevine.alpha', 'org.w3.clearkey'), asMember(member.token))).toBe(404)
  await member.client.playback.progress({
    id: film.id,
    playId: playback.playId!,
    state: 'LEFT',
    positionSeconds: 1,
    playedSeconds: 1,
    at: api.clock.now().toISOString(),
  })
  expect(await status(licenceUrl, asMember(member.token))).toBe(403)
  expect(received).toHaveLength(before)
})

test('staff who may see videos get licences in the console, and nobody else with their addresses', async () => {
  const { tenant, member, film } = await arrange()
  const staff = await tenant.createStaff('CATALOG')
  const { stream, isEncrypted } = await staff.client.admin.videos.get({ id: film.video.id })
  expect(isEncrypted).toBe(true)
  const { licenceUrl } = stream!.drm!['com.widevine.alpha']!
  const { certificateUrl } = stream!.drm!['com.apple.fps']!
  const inConsole = (token: string) => ({ cookie: `staff=${token}`, 'sec-fetch-site': 'same-origin' })
  const status = async (headers: Record<string, string>) => (await media.get(licenceUrl, headers, 'POST')).status
  expect(await status(inConsole(staff.token))).toBe(200)
  expect(received.at(-1)).toMatchObject({ memberId: null, productId: film.id, playId: null, asset: film.video.asset })
  expect((await media.get(certificateUrl!, inConsole(staff.token))).status).toBe(200)

  const before = received.length
  const support = await tenant.createStaff('FINANCE')
  const foreign = await (await createTenant(api)).createStaff('OWNER')
  for (const headers of [
    {},
    asMember(member.token),
    { cookie: `staff=${staff.token}` },
    inConsole(support.token),
    inConsole(foreign.token),
  ])
    expect([headers, await status(headers)]).toEqual([headers, 403])
  expect(await failureOf(support.client.admin.videos.get({ id: film.video.id }))).toMatchObject({ status: 403 })
  expect(await failureOf(foreign.client.admin.videos.get({ id: film.video.id }))).toMatchObject({ status: 404 })
  // The permission is asked for with each licence.
  await tenant.within((db) =>
    db.update(staffMemberships).set({ role: 'FINANCE' }).where(eq(staffMemberships.staffId, staff.id)),
  )
  expect(await status(inConsole(staff.token))).toBe(403)
  expect(received).toHaveLength(before)
  const program = await tenant.createOperator()
  expect((await program.client.admin.videos.get({ id: film.video.id })).stream).toBeNull()
})

test('a licence server that refuses is answered with 403, and an unavailable one with 502', async () => {
  const status = async (path: string) => {
    const { member, playback } = await arrange(path)
    const answer = await media.get(playback.drm!['com.widevine.alpha']!.licenceUrl, asMember(member.token), 'POST')
    return [answer.status, answer.text]
  }
  expect(await status('/refuses')).toEqual([403, expect.stringContaining('"NOT_ENTITLED"')])
  expect(await status('/breaks')).toEqual([502, expect.stringContaining('"PROVIDER_UNAVAILABLE"')])
})

test('a licence request over the limit is answered with 413, and a response over the limit with 502', async () => {
  const { member, playback } = await arrange()
  const { licenceUrl } = playback.drm!['com.widevine.alpha']!
  const before = received.length
  const requestLicence = (bytes: number, length?: number) => post(licenceUrl, member.token, Buffer.alloc(bytes), length)
  expect(await requestLicence(64 * 1024)).toMatchObject({ status: 200, text: 'a licence' })
  expect(received).toHaveLength(before + 1)
  for (const length of [undefined, 2_000_000]) {
    const answer = await requestLicence(2_000_000, length)
    expect({ status: answer.status, ...JSON.parse(answer.text) }).toMatchObject({
      status: 413,
      code: 'PAYLOAD_TOO_LARGE',
      message: expect.stringContaining('64 KB'),
      requestId: expect.any(String),
    })
  }
  expect(received).toHaveLength(before + 1)

  const flooded = await arrange('/floods')
  const url = flooded.playback.drm!['com.widevine.alpha']!.licenceUrl
  const answer = await post(url, flooded.member.token, Buffer.alloc(16))
  expect({ status: answer.status, ...JSON.parse(answer.text) }).toMatchObject({
    status: 502,
    code: 'PROVIDER_UNAVAILABLE',
    message: expect.stringContaining('too large'),
  })
  expect(answer.headers['cache-control']).toBe('no-store')
})

test('an aborted licence request is handled, and refusals keep no connections to the licence server', async () => {
  const { member, playback } = await arrange('/refuses-at-length')
  const { licenceUrl: path } = playback.drm!['com.widevine.alpha']!
  const handle = openMediaHandler(api.deps)
  const handled = Promise.withResolvers<boolean>()
  const mediaServer = createServer((request, response) =>
    handle(request, response).then(handled.resolve, handled.reject),
  )
  await new Promise<void>((resolve) => mediaServer.listen(0, '127.0.0.1', resolve))
  const { port } = mediaServer.address() as AddressInfo
  const headers = { ...asMember(member.token), 'content-length': 1000 }
  const aborted = send({ host: '127.0.0.1', port, path, method: 'POST', headers }).on('error', () => {})
  aborted.write('the beginning')
  mediaServer.on('request', () => aborted.destroy())
  expect(await handled.promise).toBe(true)
  mediaServer.close()

  for (let refusal = 0; refusal < 12; refusal++)
    expect(await post(path, member.token, Buffer.alloc(8))).toMatchObject({ status: 403 })
  const connections = await new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  expect(connections).toBeLessThan(6)
})

test('a lesson’s licence is that of its own video and requires an entitlement', async () => {
  const tenant = await createTenant(api)
  const [buyer, other] = [await tenant.createMember(), await tenant.createMember()]
  const course = await tenant.createProduct({ access: 'PURCHASE', price: 2900 })
  const [unencrypted, locked] = [
    await addLesson(tenant, course.id, 1, false),
    await addLesson(tenant, course.id, 2, false),
  ]
  const configured = await (await ctxOf(api, tenant)).inTransaction((ctx) =>
    setDrm(ctx, 'admin:Jo', {
      product: course.code,
      lesson: 2,
      keySystem: 'com.widevine.alpha',
      licenseUrl: `${origin()}/widevine`,
      certificateUrl: null,
    }),
  )
  expect(configured).toMatchObject({ systems: ['com.widevine.alpha'], asset: locked.video.asset })
  await buy(api, tenant, buyer, course)
  const start = (lessonId: LessonId) => buyer.client.playback.startPlayback({ id: course.id, lessonId })
  expect((await start(unencrypted.id)).drm).toBeNull()
  const { drm, playId } = await start(locked.id)
  const { licenceUrl } = drm!['com.widevine.alpha']!
  expect(licenceUrl).toContain(locked.video.asset)
  expect((await media.get(licenceUrl, asMember(buyer.token), 'POST')).text).toBe('a licence')
  expect(received.at(-1)).toMatchObject({
    productId: course.id,
    lessonId: locked.id,
    playId,
    asset: locked.video.asset,
  })
  expect((await media.get(licenceUrl, asMember(other.token), 'POST')).status).toBe(403)
  const unencryptedLicenceUrl = (await start(unencrypted.id)).manifestUrl.replace(
    'master.m3u8',
    'licence/com.widevine.alpha',
  )
  expect((await media.get(unencryptedLicenceUrl, asMember(buyer.token), 'POST')).status).toBe(404)
})

test('an unencrypted stream has no licences, and is refused to guests', async () => {
  const tenant = await createTenant(api)
  const [member, film] = [await tenant.createMember(), await createFilm(tenant, { access: 'MEMBER', price: null })]
  const { drm, manifestUrl } = await member.client.playback.startPlayback({ id: film.id })
  expect(drm).toBeNull()
  const url = manifestUrl.replace('master.m3u8', 'licence/com.widevine.alpha')
  expect((await media.get(url, asMember(member.token), 'POST')).status).toBe(404)
  expect((await failureOf(tenant.guest.playback.startPlayback({ id: film.id }))).code).toBe('NOT_ENTITLED')
})
