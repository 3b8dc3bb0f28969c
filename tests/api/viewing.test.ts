import { traverseContractProcedures } from '@orpc/server'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { productEvents } from '#api/modules/engagement/engagement.schema.ts'
import { sessions } from '#api/modules/identity/identity.schema.ts'
import { isOfOperators, metaOf } from '#api/platform/http/procedures.ts'
import { customerBase, headers } from '#contract/http.ts'
import { contract } from '#contract/procedures/contract.ts'
import { buy } from '#tests/support/buying.ts'
import { addRental, createFilm, openMedia } from '#tests/support/media.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const media = await openMedia(api)

const arrange = async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct({ price: 700 })
  await buy(api, tenant, member, product)
  const staff = await tenant.createStaff('SUPPORT')
  const view = () => staff.client.admin.members.view({ id: member.id, reason: 'Cannot find a film' })
  const tokenOf = async () => (await view()).token as string
  return { tenant, member, product, staff, view, tokenOf }
}

test('staff see what a member sees, and the history says who and why', async () => {
  const { tenant, member, product, staff, tokenOf } = await arrange()
  const lastSeen = async () => (await staff.client.admin.members.list({ q: member.email })).items[0]?.lastSeenAt
  const before = await lastSeen()
  api.clock.advance(3_600_000)
  const viewer = api.client(tenant.code, { token: await tokenOf() })
  expect(await viewer.identity.me()).toMatchObject({ id: member.id, viewing: true })
  expect((await viewer.orders.orders({})).items).toHaveLength(1)
  expect((await viewer.catalog.product({ id: product.id, view: true })).viewer?.entitled).toBe(true)
  // Neither a view nor a device nor a visit of the member's.
  expect(await lastSeen()).toBe(before)
  expect(await member.client.identity.me()).toMatchObject({ viewing: false })
  expect(await tenant.within((db) => db.select().from(productEvents))).toEqual([])
  expect((await member.client.identity.sessions()).items).toHaveLength(1)
  const { history } = await staff.client.admin.members.get({ id: member.id })
  expect(history[0]).toMatchObject({ action: 'member.viewed', detail: { reason: 'Cannot find a film' } })
})

test('every write of staff who look at the store as a member is refused, and an export of all data', async () => {
  const { tenant, tokenOf } = await arrange()
  const token = await tokenOf()
  const answers: Record<string, number> = {}
  const allowed = ['identity.logout', 'playback.startPlayback']
  const calls: { name: string; method: string; path: string }[] = [
    { name: 'identity.exportMe', method: 'GET', path: '/me/export' },
  ]
  traverseContractProcedures({ path: [], router: contract }, ({ contract: one, path }) => {
    const { route } = one['~orpc']
    const method = route.method ?? 'GET'
    const name = path.join('.')
    if (method === 'GET' || isOfOperators(metaOf(one).access) || allowed.includes(name)) return
    // A public procedure asks nobody who they are.
    if (metaOf(one).access !== 'public') calls.push({ name, method, path: route.path ?? '' })
  })
  expect(calls.length).toBeGreaterThan(40)
  for (const { name, method, path } of calls) {
    const url = new URL(
      customerBase(tenant.code) + path.replaceAll(/\{[^}]+\}/g, '01a21c21-94ef-738f-a604-80b8be53fd59'),
      api.origin,
    )
    const sent = { authorization: `Bearer ${token}`, 'content-type': 'application/json', [headers.idempotencyKey]: 'a' }
    const answer = await api.fetch(new Request(url, { method, headers: sent, ...(method !== 'GET' && { body: '{}' }) }))
    const body = await answer.text()
    if (!body.includes('"READ_ONLY"')) answers[name] = answer.status
  }
  expect(answers).toEqual({})
})

test('staff play what the member may watch, and nothing of it is stored', async () => {
  const { tenant, member, tokenOf } = await arrange()
  const film = await createFilm(tenant)
  await media.write(`${film.video.asset}/master.m3u8`, '#EXTM3U')
  await buy(api, tenant, member, { ...film, optionId: await addRental(tenant, film.id, 2, 30) })
  const other = await createFilm(tenant)
  const rowsOf = (table: string) =>
    tenant.within((db) => db.$client.query(`SELECT * FROM ${table} WHERE customer_id = $1`, [tenant.id]))
  const tables = ['plays', 'positions', 'viewed_products', 'product_events', 'fulfillments', 'entitlements', 'orders']
  const stored = async () => {
    const rows: unknown[] = []
    for (const table of tables) rows.push((await rowsOf(table)).rows)
    return rows
  }
  const before = await stored()
  const token = await tokenOf()
  const viewer = api.client(tenant.code, { token })
  const playback = await viewer.playback.startPlayback({ id: film.id, acceptsFulfillment: true })
  expect(playback).toMatchObject({ playId: null, watermark: null, accessUntil: null })
  const opens = async (cookie: string) => (await media.get(playback.manifestUrl, { cookie })).status
  expect(await opens(`token=${token}`)).toBe(200)
  expect(await opens('')).toBe(403)
  expect(await opens(`token=${(await tenant.createMember()).token}`)).toBe(403)
  expect(await failureOf(viewer.playback.startPlayback({ id: other.id }))).toMatchObject({ code: 'NOT_ENTITLED' })
  const report = { id: film.id, positionSeconds: 42, playedSeconds: 42, at: api.clock.now().toISOString() }
  expect(await failureOf(viewer.playback.progress(report))).toMatchObject({ code: 'READ_ONLY' })
  expect(await stored()).toEqual(before)
  // The address ends with the viewing, and opens nothing else of the member’s.
  await viewer.identity.logout()
  expect(await opens(`token=${token}`)).toBe(403)
  const own = await member.client.playback.startPlayback({ id: film.id, acceptsFulfillment: true })
  expect((await media.get(own.manifestUrl, { cookie: `token=${await tokenOf()}` })).status).toBe(403)
})

test('a viewing ends after half an hour, with a sign-out, and with the sessions of the member', async () => {
  const { tenant, member, staff, tokenOf } = await arrange()
  const ended = async (token: string) => failureOf(api.client(tenant.code, { token }).identity.me())
  const first = await tokenOf()
  await api.client(tenant.code, { token: first }).identity.logout()
  expect(await ended(first)).toMatchObject({ code: 'SESSION_EXPIRED' })
  const second = await tokenOf()
  await staff.client.admin.members.signOut({ id: member.id })
  expect(await ended(second)).toMatchObject({ code: 'SESSION_EXPIRED' })
  const third = await tokenOf()
  api.clock.advance(29 * 60_000)
  expect((await api.client(tenant.code, { token: third }).identity.me()).viewing).toBe(true)
  api.clock.advance(2 * 60_000)
  expect(await ended(third)).toMatchObject({ code: 'SESSION_EXPIRED' })
})

test('the console gets the token as the storefront’s cookie alone, and others may not view', async () => {
  const { tenant, member, staff } = await arrange()
  const body = JSON.stringify({ reason: 'A question' })
  const url = new URL(`${customerBase(tenant.code)}/admin/members/${member.id}/view`, api.origin)
  const sent = { authorization: `Bearer ${staff.token}`, 'content-type': 'application/json' }
  const console = { [headers.console]: '1', 'sec-fetch-site': 'same-origin' }
  const answer = await api.fetch(new Request(url, { method: 'POST', body, headers: { ...sent, ...console } }))
  expect(await answer.json()).toMatchObject({ token: null })
  const cookie = answer.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^token=mq\S+; Path=\/; Max-Age=1800; HttpOnly; SameSite=Lax$/)
  const [row] = await tenant.within((db) =>
    db
      .select()
      .from(sessions)
      .where(eq(sessions.viewer, `staff:${staff.email}`)),
  )
  expect(row?.memberId).toBe(member.id)

  const analyst = await tenant.createStaff('ANALYST')
  const refused = analyst.client.admin.members.view({ id: member.id, reason: 'Curious' })
  expect(await failureOf(refused)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
})
