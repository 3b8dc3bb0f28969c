import { eq } from 'drizzle-orm'
import type { PoolClient } from 'pg'
import { expect, test, vi } from 'vitest'
import { entitlements } from '#api/modules/entitlements/entitlements.schema.ts'
import { plays } from '#api/modules/playback/playback.schema.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { EntitlementId, PlayId } from '#contract/ids.ts'
import type { DeviceLimit, StreamLimit } from '#contract/playback-refusals.ts'
import { addLesson, asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { subscriber } from '#tests/support/subscribing.ts'
import { createTenant, password, type Tenant, type TestMember } from '#tests/support/tenant.ts'
import { type Client, createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const media = await openMedia(api)

interface Device {
  token: string
  client: Client
}

const limited = (
  limits: Partial<Record<'streamLimit' | 'deviceLimit', number> & Record<'watermark' | 'useLogin', boolean>>,
) => {
  const settings = plainSettings()
  Object.assign(settings.operation, limits)
  return createTenant(api, { settings })
}

/** Another device of the member: a session with this device name. */
const signIn = async (tenant: Tenant, { email }: TestMember, device = 'a device'): Promise<Device> => {
  const entry = api.client(tenant.code, { headers: { 'user-agent': device } })
  const { token } = await entry.identity.login({ email, password })
  return { token, client: api.client(tenant.code, { token }) }
}

/** A film for every member, with its stream's files. */
const memberFilm = async (tenant: Tenant, title = 'A quiet tide') => {
  const film = await createFilm(tenant, { access: 'MEMBER', price: null, title })
  await media.write(`${film.video.asset}/master.m3u8`, '#EXTM3U')
  return film
}

const statusOf = async ({ token }: Device, { manifestUrl }: { manifestUrl: string }) =>
  (await media.get(manifestUrl, asMember(token))).status

const report = (at: { positionSeconds?: number } = {}) => ({
  positionSeconds: at.positionSeconds ?? 5,
  playedSeconds: 1,
  at: api.clock.now().toISOString(),
})

const refusal = async (call: Promise<unknown>) => {
  const { status, code, problem } = await failureOf(call)
  expect({ status, code }).toEqual({ status: 409, code: 'STREAM_LIMIT' })
  return problem.data as StreamLimit
}

test('twenty concurrent starts get as many streams as the tenant allows', async () => {
  const tenant = await limited({ streamLimit: 2 })
  const member = await tenant.createMember()
  const films = [await memberFilm(tenant), await memberFilm(tenant), await memberFilm(tenant), await memberFilm(tenant)]
  const devices = await Promise.all(Array.from({ length: 5 }, () => signIn(tenant, member)))
  const outcomes = await Promise.all(
    films.flatMap(({ id }) =>
      devices.map(({ client }) =>
        client.playback.startPlayback({ id }).then(
          () => 'PLAYS',
          (error) => error.problem.code as string,
        ),
      ),
    ),
  )
  expect(outcomes.filter((outcome) => outcome === 'PLAYS')).toHaveLength(2)
  expect(outcomes.filter((outcome) => outcome === 'STREAM_LIMIT')).toHaveLength(18)
  const live = (await tenant.within((db) => db.select().from(plays))).filter(({ endedAt }) => endedAt === null)
  expect(live).toHaveLength(2)
})

test('the answer at the limit lists the active plays; taking one over ends its stream at its next file', async () => {
  const tenant = await limited({ streamLimit: 1 })
  const member = await tenant.createMember()
  const [film, second] = [await memberFilm(tenant, 'Tide'), await memberFilm(tenant, 'Ridge')]
  const tablet = await signIn(tenant, member, 'Tablet')
  const laptop = await signIn(tenant, member, 'Laptop')
  const first = await tablet.client.playback.startPlayback({ id: film.id })
  expect(await statusOf(tablet, first)).toBe(200)

  const { limit, plays: live } = await refusal(laptop.client.playback.startPlayback({ id: second.id }))
  expect({ limit, live }).toMatchObject({
    limit: 1,
    live: [{ id: first.playId, device: 'Tablet', title: 'Tide', here: false, since: expect.any(String) }],
  })
  const taken = await laptop.client.playback.startPlayback({ id: second.id, takeOver: live[0]!.id })
  expect([await statusOf(tablet, first), await statusOf(laptop, taken)]).toEqual([403, 200])
  const progress = await tablet.client.playback.progress({ id: film.id, playId: first.playId!, ...report() })
  expect(progress.play).toBe('TAKEN_OVER')

  const refused = await refusal(tablet.client.playback.startPlayback({ id: film.id, playId: first.playId! }))
  expect(refused.plays).toMatchObject([{ id: taken.playId, device: 'Laptop', title: 'Ridge' }])
  const again = await tablet.client.playback.startPlayback({ id: film.id, takeOver: taken.playId! })
  expect([await statusOf(tablet, again), await statusOf(laptop, taken)]).toEqual([200, 403])
})

test('another member’s play cannot be taken over, nor another member’s device signed out', async () => {
  const tenant = await limited({ streamLimit: 1, deviceLimit: 1 })
  const [member, other] = [await tenant.createMember(), await tenant.createMember()]
  const film = await memberFilm(tenant)
  const first = await member.client.playback.startPlayback({ id: film.id })
  const { items } = await member.client.identity.sessions()
  const theirs = await other.client.playback.startPlayback({
    id: film.id,
    takeOver: first.playId!,
    playId: first.playId!,
    signOut: items[0]!.id,
  })
  expect(theirs.playId).not.toBe(first.playId)
  expect(await statusOf(member, first)).toBe(200)
  const meddled = await other.client.playback.progress({
    id: film.id,
    playId: first.playId!,
    state: 'LEFT',
    ...report(),
  })
  expect(meddled.play).toBe('CLOSED')
  expect(await statusOf(member, first)).toBe(200)
})

test('a stream ends when it is closed or idle for 90 seconds; a requested file keeps it active', async () => {
  const tenant = await limited({ streamLimit: 1 })
  const member = await tenant.createMember()
  const film = await memberFilm(tenant)
  const other = await signIn(tenant, member)
  const start = ({ client }: Device) => client.playback.startPlayback({ id: film.id })
  const first = await start(member)
  await refusal(start(other))
  const closed = await member.client.playback.progress({
    id: film.id,
    playId: first.playId!,
    state: 'LEFT',
    ...report(),
  })
  expect([closed.play, await statusOf(member, first)]).toEqual(['LEFT', 403])
  const beside = { manifestUrl: first.manifestUrl.replace('master.m3u8', 'storyboard/index.vtt') }
  await media.write(`${film.video.asset}/storyboard/index.vtt`, 'WEBVTT')
  expect([await statusOf(member, beside), await statusOf(other, beside)]).toEqual([200, 403])
  // A query does not change which file an address names.
  const disguised = { manifestUrl: `${first.manifestUrl}?/${film.video.asset}/captions/` }
  expect(await statusOf(member, disguised)).toBe(403)

  const second = await start(other)
  for (let minutes = 0; minutes < 3; minutes++) {
    api.clock.advance(60_000)
    expect(await statusOf(other, second)).toBe(200)
  }
  await refusal(start(member))
  api.clock.advance(80_000)
  await other.client.playback.progress({ id: film.id, playId: second.playId!, ...report() })
  api.clock.advance(80_000)
  await refusal(start(member))
  api.clock.advance(11_000)
  const third = await start(member)
  expect([await statusOf(other, second), await statusOf(member, third)]).toEqual([403, 200])
})

test('a new address continues the same play, the next lesson replaces it, and a reloaded page starts another', async () => {
  const tenant = await limited({ streamLimit: 1 })
  const member = await tenant.createMember()
  const course = await tenant.createProduct({ access: 'MEMBER', price: null })
  const [one, two] = [await addLesson(tenant, course.id, 1, false), await addLesson(tenant, course.id, 2, false)]
  await media.write(`${one.video.asset}/master.m3u8`, '#EXTM3U')
  const start = (lesson: typeof one, more: object = {}) =>
    member.client.playback.startPlayback({ id: course.id, lessonId: lesson.id, ...more })
  const first = await start(one)
  api.clock.advance(1_000)
  const renewed = await start(one, { playId: first.playId })
  expect(renewed.playId).toBe(first.playId)
  expect(renewed.manifestUrl).not.toBe(first.manifestUrl)
  expect((await refusal(start(two))).plays).toMatchObject([{ here: true, title: 'Lesson 1' }])
  const next = await start(two, { playId: first.playId })
  expect([next.playId === first.playId, await statusOf(member, first)]).toEqual([false, 403])
  const anew = await start(two)
  expect(anew.playId).not.toBe(next.playId)
})

test('a released stream resumes under its address for its own session, while the limit allows', async () => {
  const tenant = await limited({ streamLimit: 1 })
  const member = await tenant.createMember()
  const [film, another] = [await memberFilm(tenant), await memberFilm(tenant, 'A loud tide')]
  const other = await signIn(tenant, member)
  const leave = ({ client }: Device, { playId }: { playId: string | null }) =>
    client.playback.progress({ id: film.id, playId: playId as PlayId, state: 'LEFT', ...report() })
  const first = await member.client.playback.startPlayback({ id: film.id })
  const again = ({ client }: Device, id = film.id) => client.playback.startPlayback({ id, playId: first.playId! })

  await leave(member, first)
  expect(await statusOf(member, first)).toBe(403)
  expect((await again(member)).playId).toBe(first.playId)
  expect([await statusOf(member, first), await statusOf(other, first)]).toEqual([200, 403])

  // Another session or another film cannot resume it, and it takes no stream from another play.
  await leave(member, first)
  const elsewhere = await again(other)
  expect(elsewhere.playId).not.toBe(first.playId)
  await refusal(again(member))
  expect(await statusOf(member, first)).toBe(403)
  await leave(other, elsewhere)
  const third = await again(member, another.id)
  expect(third.playId).not.toBe(first.playId)

  // A stream taken over by another device cannot be resumed.
  const taken = await other.client.playback.startPlayback({ id: film.id, takeOver: third.playId! })
  const takenBack = await member.client.playback.startPlayback({ id: film.id, takeOver: taken.playId! })
  await leave(member, takenBack)
  const anew = await other.client.playback.startPlayback({ id: film.id, playId: taken.playId! })
  expect(anew.playId).not.toBe(taken.playId)
  expect(await statusOf(other, taken)).toBe(403)
})

test('streams are unlimited where the tenant sets no limit, and free films are not counted', async () => {
  const free = await limited({ streamLimit: 1 })
  const film = await createFilm(free, { access: 'FREE', price: null })
  const member = await free.createMember()
  for (const client of [free.guest, free.guest, member.client, member.client])
    expect((await client.playback.startPlayback({ id: film.id })).playId).toBeNull()

  const open = await limited({ streamLimit: 0 })
  const [viewer, own] = [await open.createMember(), await memberFilm(open)]
  for (let count = 0; count < 5; count++) await viewer.client.playback.startPlayback({ id: own.id })
})

test('the address of a film free for everyone works on a device without a session', async () => {
  const tenant = await limited({ streamLimit: 1 })
  const [member, film] = [await tenant.createMember(), await createFilm(tenant, { access: 'FREE', price: null })]
  const course = await tenant.createProduct({ access: 'PURCHASE' })
  const lesson = await addLesson(tenant, course.id, 1, true)
  for (const { video } of [film, lesson]) await media.write(`${video.asset}/master.m3u8`, '#EXTM3U')
  const opened = [
    await member.client.playback.startPlayback({ id: film.id }),
    await member.client.playback.startPlayback({ id: course.id, lessonId: lesson.id }),
  ]
  for (const { manifestUrl, playId } of opened)
    expect([(await media.get(manifestUrl)).status, playId]).toEqual([200, null])

  const bound = await member.client.playback.startPlayback({ id: (await memberFilm(tenant)).id })
  expect([(await media.get(bound.manifestUrl)).status, await statusOf(member, bound)]).toEqual([403, 200])
})

test('a free film of a store for members is bound to its member and counted', async () => {
  const tenant = await limited({ useLogin: true, streamLimit: 1, watermark: true })
  const [member, film] = [await tenant.createMember(), await createFilm(tenant, { access: 'FREE', price: null })]
  const course = await tenant.createProduct({ access: 'PURCHASE' })
  const lesson = await addLesson(tenant, course.id, 1, true)
  for (const { video } of [film, lesson]) await media.write(`${video.asset}/master.m3u8`, '#EXTM3U')
  const first = await member.client.playback.startPlayback({ id: film.id })
  expect([(await media.get(first.manifestUrl)).status, await statusOf(member, first)]).toEqual([403, 200])
  const { plays: live } = await refusal(member.client.playback.startPlayback({ id: course.id, lessonId: lesson.id }))
  const second = await member.client.playback.startPlayback({
    id: course.id,
    lessonId: lesson.id,
    takeOver: live[0]!.id,
  })
  expect([(await media.get(second.manifestUrl)).status, await statusOf(member, second)]).toEqual([403, 200])
  expect([first.watermark, second.watermark]).not.toContain(null)
  await member.client.identity.logout()
  expect(await statusOf(member, second)).toBe(403)
})

test('a free but hidden film plays for its owners alone, and is counted', async () => {
  const tenant = await limited({ streamLimit: 1 })
  const member = await tenant.createMember()
  const film = await createFilm(tenant, { access: 'FREE', price: null, status: 'HIDDEN' })
  await media.write(`${film.video.asset}/master.m3u8`, '#EXTM3U')
  await tenant.within((db) =>
    db.insert(entitlements).values({
      customerId: tenant.id,
      id: newId<EntitlementId>(),
      memberId: member.id,
      productId: film.id,
      source: 'RENT',
      rentalDays: 3,
      createdAt: api.clock.now().toISOString(),
    }),
  )
  const opened = await member.client.playback.startPlayback({ id: film.id })
  expect(opened.playId).not.toBeNull()
  expect([(await media.get(opened.manifestUrl)).status, await statusOf(member, opened)]).toEqual([403, 200])
})

test('plays by a plan are limited by the plan, and do not count against purchases', async () => {
  const tenant = await createPlanTenant(api, ({ operation }) => Object.assign(operation, { streamLimit: 1 }))
  const plan = await createPlan(tenant, { streams: 2 })
  const { member } = await subscriber(api, tenant, plan)
  const onPlan = await createFilm(tenant, { access: 'PLAN' })
  const devices = [await signIn(tenant, member), await signIn(tenant, member), await signIn(tenant, member)] as const
  await devices[0].client.playback.startPlayback({ id: onPlan.id })
  await devices[1].client.playback.startPlayback({ id: onPlan.id })
  expect((await refusal(devices[2].client.playback.startPlayback({ id: onPlan.id }))).limit).toBe(2)
  const forMembers = await memberFilm(tenant)
  expect((await refusal(devices[2].client.playback.startPlayback({ id: forMembers.id }))).limit).toBe(2)
})

test('as many devices play as the tenant allows; the member chooses which one is signed out for another', async () => {
  const tenant = await limited({ deviceLimit: 2 })
  const member = await tenant.createMember()
  const film = await memberFilm(tenant)
  const names = ['Phone', 'Tablet', 'Television']
  const [phone, tablet, television] = [
    await signIn(tenant, member, names[0]),
    await signIn(tenant, member, names[1]),
    await signIn(tenant, member, names[2]),
  ]
  const start = ({ client }: Device, more: object = {}) => client.playback.startPlayback({ id: film.id, ...more })
  await start(phone)
  api.clock.advance(1_000)
  const onTablet = await start(tablet)
  const { code, status, problem } = await failureOf(start(television))
  const { limit, devices } = problem.data as DeviceLimit
  expect({ code, status, limit, devices: devices.map(({ device }) => device) }).toEqual({
    code: 'DEVICE_LIMIT',
    status: 409,
    limit: 2,
    devices: ['Tablet', 'Phone'],
  })
  const takingOver = await failureOf(start(television, { takeOver: onTablet.playId }))
  expect([takingOver.code, await statusOf(tablet, onTablet)]).toEqual(['DEVICE_LIMIT', 200])
  await start(phone)
  const opened = await start(television, { signOut: devices[0]!.sessionId })
  expect([await statusOf(television, opened), await statusOf(tablet, onTablet)]).toEqual([200, 403])
  expect((await failureOf(tablet.client.identity.me())).code).toBe('SESSION_EXPIRED')
  expect((await phone.client.identity.me()).id).toBe(member.id)
})

test('naming a device that stays signed in frees no stream, and the requesting device counts as well', async () => {
  const tenant = await limited({ streamLimit: 1, deviceLimit: 0 })
  const member = await tenant.createMember()
  const [film, second] = [await memberFilm(tenant), await memberFilm(tenant)]
  const other = await signIn(tenant, member)
  const first = await member.client.playback.startPlayback({ id: film.id })
  const { items } = await member.client.identity.sessions()
  for (const { id: signOut } of items)
    for (const { client } of [member, other]) await refusal(client.playback.startPlayback({ id: second.id, signOut }))
  expect(await statusOf(member, first)).toBe(200)
})

test('an address of a stream works in the session that requested it alone', async () => {
  const tenant = await limited({})
  const member = await tenant.createMember()
  const film = await memberFilm(tenant)
  const other = await signIn(tenant, member)
  const opened = await member.client.playback.startPlayback({ id: film.id })
  expect([await statusOf(member, opened), await statusOf(other, opened)]).toEqual([200, 403])
})

test('the answer to a refused play states the reason', async () => {
  const tenant = await limited({})
  const [member, film] = [await tenant.createMember(), await createFilm(tenant)]
  const reasonFor = async (client: Client) =>
    (await failureOf(client.playback.startPlayback({ id: film.id }))).problem.data
  expect([await reasonFor(tenant.guest), await reasonFor(member.client)]).toEqual([
    { reason: 'SIGN_IN' },
    { reason: 'NONE' },
  ])
})

test('a watermark identifies the member to the store alone, where the tenant enables it', async () => {
  const tenant = await limited({ watermark: true })
  const member = await tenant.createMember('mina.park@example.com')
  const [film, free] = [await memberFilm(tenant), await createFilm(tenant, { access: 'FREE', price: null })]
  const { watermark } = await member.client.playback.startPlayback({ id: film.id })
  expect(watermark).toBe(`mi•••  ${member.id.slice(-8).toUpperCase()}`)
  expect((await member.client.playback.startPlayback({ id: free.id })).watermark).toBeNull()
  const plain = await limited({})
  const viewer = await plain.createMember()
  const without = await viewer.client.playback.startPlayback({ id: (await memberFilm(plain)).id })
  expect(without.watermark).toBeNull()
})

test('the end of an entitlement ends the stream of the member who plays, whatever play it is', async () => {
  const tenant = await limited({ streamLimit: 1 })
  const [member, film] = [await tenant.createMember(), await createFilm(tenant)]
  await media.write(`${film.video.asset}/master.m3u8`, '#EXTM3U')
  const now = api.clock.now().toISOString()
  await tenant.within((db) =>
    db.insert(entitlements).values({
      customerId: tenant.id,
      id: newId<EntitlementId>(),
      memberId: member.id,
      productId: film.id,
      source: 'GRANT',
      createdAt: now,
    }),
  )
  const opened = await member.client.playback.startPlayback({ id: film.id })
  expect(await statusOf(member, opened)).toBe(200)
  await tenant.within((db) =>
    db.update(entitlements).set({ revokedAt: now }).where(eq(entitlements.memberId, member.id)),
  )
  expect(await statusOf(member, opened)).toBe(403)
})

test('a segment costs one round trip to the database', async () => {
  const tenant = await limited({ streamLimit: 1 })
  const [member, film] = [await tenant.createMember(), await memberFilm(tenant)]
  const opened = await member.client.playback.startPlayback({ id: film.id })
  await statusOf(member, opened)
  const events: string[] = []
  const { pool } = api.deps
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>
  const spied = vi.spyOn(pool, 'connect').mockImplementation(async () => {
    const client = await connect()
    const query = vi.spyOn(client, 'query').mockImplementation(((...args: Parameters<PoolClient['query']>) => {
      const [first] = args as unknown as [string | { name?: string }]
      events.push(typeof first === 'string' ? (first.split(/[ ;]/)[0] ?? '') : (first.name ?? ''))
      const answer: Promise<unknown> = Reflect.apply(Object.getPrototypeOf(client).query, client, args)
      return answer.then((result) => {
        events.push('answer')
        return result
      })
    }) as never)
    const release = client.release.bind(client)
    client.release = (error?: Error | boolean) => {
      query.mockRestore()
      client.release = release
      release(error)
    }
    return client
  })
  expect(await statusOf(member, opened)).toBe(200)
  spied.mockRestore()
  // All are sent before the first is answered.
  const sent = ['BEGIN', 'media_request', 'held_rights', 'COMMIT']
  expect(events).toEqual([...sent, ...sent.map(() => 'answer')])
})
