import { eq } from 'drizzle-orm'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { audit } from '#api/platform/db/platform.schema.ts'
import { buy } from '#tests/support/buying.ts'
import { addAttachment, asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

interface Line {
  event?: string
  [field: string]: unknown
}

/** An API whose media server trusts a proxy for the visitor’s address, with a captured log. */
const lines: Line[] = []
const api = createTestApi({ trustedProxies: ['127.0.0.1'] })
const log = pino({ level: 'warn' }, { write: (text: string) => void lines.push(JSON.parse(text) as Line) })
const media = await openMedia({ ...api, deps: { ...api.deps, log } })
const leaksOf = (customer: string) => lines.filter((line) => line.event === 'media.leak' && line.customer === customer)

const from = (address: string, token?: string) => ({
  'x-forwarded-for': address,
  ...(token ? asMember(token) : {}),
})

const arrange = async (begunAt = '198.51.100.7') => {
  const tenant = await createTenant(api, { settings: plainSettings() })
  const member = await tenant.createMember()
  const film = await createFilm(tenant, { access: 'MEMBER', price: null })
  await media.write(`${film.video.asset}/master.m3u8`, '#EXTM3U')
  await media.write(`${film.video.asset}/storyboard/index.vtt`, 'WEBVTT')
  const home = api.client(tenant.code, { token: member.token, headers: { 'x-forwarded-for': begunAt } })
  const playback = await home.playback.startPlayback({ id: film.id })
  const status = async (address: string, token?: string, url = playback.manifestUrl) =>
    (await media.get(url, from(address, token))).status
  const auditEntries = () => tenant.within((db) => db.select().from(audit).where(eq(audit.customerId, tenant.id)))
  return { tenant, member, film, playback, home, status, auditEntries }
}

test('a stream URL used by a stranger is refused, and the log and the audit name its member', async () => {
  const { tenant, member, film, playback, status, auditEntries } = await arrange()
  for (let times = 0; times < 5; times++) expect(await status('203.0.113.1')).toBe(403)
  expect(leaksOf(tenant.code)).toMatchObject([
    {
      level: 40,
      customer: tenant.code,
      customerId: tenant.id,
      memberId: member.id,
      productId: film.id,
      playId: playback.playId,
      asset: film.video.asset,
      address: '203.0.113.1',
      addresses: 1,
      closed: false,
      playAddress: '198.51.100.7',
      requestedBy: null,
    },
  ])
  expect(await auditEntries()).toMatchObject([
    { actor: 'rule', action: 'play.leaked', subject: `member:${member.id}`, detail: { address: '203.0.113.1' } },
  ])
  api.clock.advance(61_000)
  expect(await status('203.0.113.1')).toBe(403)
  expect(leaksOf(tenant.code)).toHaveLength(2)
  expect(await auditEntries()).toHaveLength(1)
  expect(await status('198.51.100.7', member.token)).toBe(200)
})

test('a play used from a third foreign address is closed, and its member can start a new one', async () => {
  const { tenant, member, film, playback, home, status, auditEntries } = await arrange()
  const another = await tenant.createMember()
  expect(await status('203.0.113.1')).toBe(403)
  expect(await status('203.0.113.2', another.token)).toBe(403)
  expect(await status('198.51.100.7', member.token)).toBe(200)
  expect(await status('203.0.113.3')).toBe(403)
  expect(await status('198.51.100.7', member.token)).toBe(403)
  expect((await auditEntries()).map(({ action }) => action).sort()).toEqual(['play.closed', 'play.leaked'])
  const at = api.clock.now().toISOString()
  const report = { id: film.id, playId: playback.playId!, positionSeconds: 5, playedSeconds: 1, at }
  expect((await home.playback.progress(report)).play).toBe('CLOSED')
  const restarted = await home.playback.startPlayback({ id: film.id, playId: playback.playId! })
  expect(restarted.playId).not.toBe(playback.playId)
  expect(await status('198.51.100.7', member.token, restarted.manifestUrl)).toBe(200)
})

test('a signed-out browser at the address of the play is not audited as a leak', async () => {
  const { tenant, member, status, auditEntries } = await arrange()
  for (let times = 0; times < 4; times++) expect(await status('198.51.100.7')).toBe(403)
  expect(leaksOf(tenant.code)).toMatchObject([{ addresses: 0, address: '198.51.100.7' }])
  expect(await auditEntries()).toEqual([])
  expect(await status('198.51.100.7', member.token)).toBe(200)
  // The member may use the URL from another address.
  expect(await status('203.0.113.200', member.token)).toBe(200)
})

test('addresses of one IPv6 network count as one address', async () => {
  const { tenant, member, status, auditEntries } = await arrange('2001:db8:1:2::7')
  for (const address of ['2001:db8:1:2::7', '2001:db8:1:2:aaaa:bbbb:cccc:1', '2001:db8:1:2:aaaa::2'])
    expect(await status(address)).toBe(403)
  expect(leaksOf(tenant.code)).toMatchObject([{ addresses: 0 }])
  for (let last = 1; last <= 5; last++) expect(await status(`2001:db8:9:9::${last}`)).toBe(403)
  expect((await auditEntries()).map(({ action }) => action)).toEqual(['play.leaked'])
  expect(await status('2001:db8:1:2::7', member.token)).toBe(200)
  for (const network of [10, 11]) expect(await status(`2001:db8:9:${network}::1`)).toBe(403)
  expect(await status('2001:db8:1:2::7', member.token)).toBe(403)
})

test('storyboards and attachments are bound to their member too, and their leaks are audited', async () => {
  const { tenant, member, film, playback, status, auditEntries } = await arrange()
  const elsewhere = await (await createTenant(api)).createMember(member.email)
  expect(await status('203.0.113.9', elsewhere.token)).toBe(403)
  const storyboard = playback.manifestUrl.replace('master.m3u8', 'storyboard/index.vtt')
  expect(await status('203.0.113.9', undefined, storyboard)).toBe(403)
  expect(await status('198.51.100.7', member.token, storyboard)).toBe(200)

  const product = await tenant.createProduct({ kind: 'PAY' })
  await media.write('attachment/leaks/book.pdf', '%PDF-')
  const attachmentId = await addAttachment(tenant, product.id, 'book.pdf', 'attachment/leaks/book.pdf')
  await buy(api, tenant, member, product)
  const { url } = await member.client.catalog.confirmAttachment({ id: product.id, attachmentId })
  expect(await status('203.0.113.9', undefined, url)).toBe(403)
  expect(await status('203.0.113.9', member.token, url)).toBe(200)
  expect(leaksOf(tenant.code).map(({ asset }) => asset)).toEqual([film.video.asset, `attachment/${attachmentId}`])
  expect((await auditEntries()).filter(({ action }) => action === 'play.leaked')).toHaveLength(2)
})

test('a free product’s stream URL works for everyone and is not logged as a leak', async () => {
  const { tenant, home, status } = await arrange()
  const free = await createFilm(tenant, { access: 'FREE', price: null })
  await media.write(`${free.video.asset}/master.m3u8`, '#EXTM3U')
  const { manifestUrl } = await home.playback.startPlayback({ id: free.id })
  expect(await status('203.0.113.1', undefined, manifestUrl)).toBe(200)
  expect(leaksOf(tenant.code)).toEqual([])
})

test('many foreign requests at once write at most three log entries and close the play', async () => {
  const { tenant, status } = await arrange()
  await Promise.all(Array.from({ length: 60 }, (_, n) => status(`203.0.113.${n + 1}`)))
  const leaks = leaksOf(tenant.code)
  expect(leaks.length).toBeLessThanOrEqual(3)
  expect(leaks.some(({ closed }) => closed)).toBe(true)
})

test('a forged or expired stream URL is refused and not logged as a leak', async () => {
  const { tenant, playback, status } = await arrange()
  const forged = playback.manifestUrl.replace(/\.([A-Za-z0-9_-])([A-Za-z0-9_-]{31})\//, (_, first, rest) =>
    first === 'A' ? `.B${rest}/` : `.A${rest}/`,
  )
  expect(await status('203.0.113.1', undefined, forged)).toBe(403)
  api.clock.advance(5 * 3_600_000)
  expect(await status('203.0.113.1')).toBe(403)
  expect(leaksOf(tenant.code)).toEqual([])
})
