import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { products, videos as videoRows } from '#api/modules/catalog/catalog.schema.ts'
import { cleanUpVideos } from '#api/modules/media/encoding/encoders.ts'
import { retiredRetentionMilliseconds } from '#api/modules/media/video-job-states.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { VideoId } from '#contract/ids.ts'
import { addLesson, asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const media = await openMedia(api)

const arrange = async () => {
  const tenant = await createTenant(api)
  const [first, second] = [
    await createFilm(tenant, { access: 'MEMBER', price: null, title: 'Harbour lights' }),
    await createFilm(tenant, { access: 'MEMBER', price: null, title: 'A winter garden' }),
  ]
  for (const { video } of [first, second]) await media.write(`${video.asset}/master.m3u8`, '#EXTM3U')
  const { client } = await tenant.createStaff('CATALOG')
  return { tenant, first, second, videos: client.admin.videos, client }
}

const rowOf = async (tenant: Tenant, id: VideoId) => {
  const [row] = await tenant.within((db) => db.select().from(videoRows).where(eq(videoRows.id, id)))
  return row
}

test('the videos of a store are listed with what shows them, and found by title, code and page', async () => {
  const { tenant, first, second, videos } = await arrange()
  await createFilm(await createTenant(api))
  const lesson = await addLesson(tenant, second.id, 0, false)
  const { items } = await videos.list({})
  expect(items.map(({ id }) => id).sort()).toEqual([first.video.id, second.video.id, lesson.video.id].sort())
  expect(items.find(({ id }) => id === lesson.video.id)).toMatchObject({
    durationSeconds: 100,
    shownBy: [{ productCode: second.code, lessonId: lesson.id, title: 'Lesson 0' }],
  })
  expect((await videos.list({ q: 'winter' })).items).toMatchObject([{ id: second.video.id }])
  expect((await videos.list({ q: first.code })).items.map(({ id }) => id)).toContain(first.video.id)
  // Characters that a pattern or the database's own forms give a meaning.
  for (const q of ['%', '_', 'title', 'null', 'lessonid', 'productcode', '[{', '\\'])
    expect((await videos.list({ q })).items, q).toEqual([])
  await tenant.within((db) => db.update(products).set({ title: 'Say "hi" now' }).where(eq(products.id, first.id)))
  expect((await videos.list({ q: '"hi"' })).items).toMatchObject([{ id: first.video.id }])
  expect((await videos.list({ q: 'lesson 0' })).items).toMatchObject([{ id: lesson.video.id }])
  const page = await videos.list({ size: 2 })
  const rest = await videos.list({ size: 2, cursor: page.nextCursor! })
  expect([...page.items, ...rest.items].map(({ id }) => id)).toEqual(items.map(({ id }) => id))
  expect(rest.nextCursor).toBeNull()
})

test('a video is shown by a second product too, and stays while one of them shows it', async () => {
  const { tenant, first, second, videos, client } = await arrange()
  const member = await tenant.createMember()
  const shared = await videos.use({ id: first.video.id, product: second.code })
  expect(shared.shownBy.map(({ productCode }) => productCode).sort()).toEqual([first.code, second.code].sort())
  for (const { id } of [first, second]) {
    const { manifestUrl } = await member.client.playback.startPlayback({ id })
    expect((await media.get(manifestUrl, asMember(member.token))).status).toBe(200)
  }
  // The one that was there before is nobody's: it is deleted some hours later.
  expect(await rowOf(tenant, second.video.id)).toMatchObject({ retiredAt: expect.any(String) })
  expect((await videos.list({})).items).toMatchObject([{ id: first.video.id }])
  const { history } = await client.admin.products.get({ code: second.code })
  expect(history[0]).toMatchObject({ action: 'video.shared', detail: { video: first.video.id } })

  // Once more changes nothing.
  await videos.use({ id: first.video.id, product: second.code })
  expect((await client.admin.products.get({ code: second.code })).history).toHaveLength(history.length)

  // The first product gets another video. The second goes on showing the shared one.
  const other = await createFilm(tenant)
  await videos.use({ id: other.video.id, product: first.code })
  expect(await rowOf(tenant, first.video.id)).toMatchObject({ retiredAt: null })
  api.clock.advance(retiredRetentionMilliseconds + 60_000)
  const customer = await resolveCustomer(api.deps, tenant.code)
  await cleanUpVideos(api.deps, customer!)
  const again = await member.client.playback.startPlayback({ id: second.id })
  expect((await media.get(again.manifestUrl, asMember(member.token))).status).toBe(200)
})

test('a lesson takes a video with its chapters in every language', async () => {
  const { tenant, first, second, videos } = await arrange()
  const { version } = await videos.get({ id: first.video.id })
  const editor = await tenant.createStaff('CATALOG')
  await editor.withVersion(version).admin.videos.setChapters({
    id: first.video.id,
    chapters: [{ startSeconds: 0, title: 'The harbour', translations: { ko: '항구' } }],
  })
  const lesson = await addLesson(tenant, second.id, 0, false)
  const shared = await videos.use({ id: first.video.id, product: second.code, lessonId: lesson.id })
  expect(shared.shownBy).toHaveLength(2)
  // The first product no longer shows it, so that the titles are those of the lesson.
  const other = await createFilm(tenant)
  await videos.use({ id: other.video.id, product: first.code })
  expect((await videos.get({ id: first.video.id })).chapters).toEqual([
    { startSeconds: 0, title: 'The harbour', translations: { ko: '항구' } },
  ])
  expect((await videos.get({ id: other.video.id })).chapters).toEqual([])
})

test('what is not there is refused: a video of another store, a replaced one, an unknown product or lesson', async () => {
  const { tenant, first, second, videos, client } = await arrange()
  const foreign = await createFilm(await createTenant(api))
  const lesson = await addLesson(tenant, first.id, 0, false)
  const refused = [
    { id: foreign.video.id, product: first.code },
    { id: newId<VideoId>(), product: first.code },
    { id: first.video.id, product: foreign.code },
    { id: first.video.id, product: second.code, lessonId: lesson.id },
  ]
  for (const input of refused) expect(await failureOf(videos.use(input))).toMatchObject({ code: 'NOT_FOUND' })
  await videos.use({ id: first.video.id, product: second.code })
  expect(await failureOf(videos.use({ id: second.video.id, product: first.code }))).toMatchObject({
    code: 'NOT_FOUND',
    problem: { errors: { id: [expect.any(String)] } },
  })
  const support = await tenant.createStaff('SUPPORT')
  expect(await failureOf(support.client.admin.videos.list({}))).toMatchObject({ status: 403 })
  expect((await client.admin.products.get({ code: first.code })).videoId).toBe(first.video.id)
})

test('two staff who give a video and take it away at once leave it shown or replaced, never lost', async () => {
  for (let round = 0; round < 5; round++) {
    const { tenant, first, second, videos } = await arrange()
    const other = await createFilm(tenant)
    await Promise.all([
      videos.use({ id: first.video.id, product: second.code }).catch(() => {}),
      videos.use({ id: other.video.id, product: first.code }),
    ])
    const shown = await tenant.within((db) => db.select().from(products).where(eq(products.customerId, tenant.id)))
    const video = await rowOf(tenant, first.video.id)
    const isShown = shown.some(({ videoId }) => videoId === first.video.id)
    expect(video?.retiredAt === null).toBe(isShown)
  }
})

test('a video that nothing shows is opened, renamed, edited, shown, and deleted', async () => {
  const { tenant, first, second, videos } = await arrange()
  const id = newId<VideoId>()
  await tenant.within((db) =>
    db.insert(videoRows).values({ customerId: tenant.id, id, asset: `video/${id}`, durationSeconds: 90, bytes: 5_000 }),
  )
  await media.write(`video/${id}/master.m3u8`, '#EXTM3U')
  const opened = await videos.get({ id })
  expect(opened).toMatchObject({ shownBy: [], name: null, bytes: 5_000, job: null, durationSeconds: 90 })
  const editor = await tenant.createStaff('CATALOG')
  const withVersion = (version: string) => editor.withVersion(version).admin.videos
  expect(await failureOf(videos.rename({ id, name: 'x' }))).toMatchObject({ code: 'VERSION_MISSING' })
  const renamed = await withVersion(opened.version).rename({ id, name: 'Harbour, uncut' })
  expect(renamed).toMatchObject({ name: 'Harbour, uncut', history: [{ action: 'video.renamed' }] })
  expect(renamed.history[0]?.changes).toEqual({ name: { from: null, to: 'Harbour, uncut' } })
  expect((await videos.list({ q: 'uncut' })).items).toMatchObject([{ id, name: 'Harbour, uncut', shownBy: [] }])

  const translated = [{ startSeconds: 0, title: 'Dawn', translations: { ko: '새벽' } }]
  const refused = await failureOf(withVersion(renamed.version).setChapters({ id, chapters: translated }))
  expect(refused.problem.errors.chapters).toEqual([expect.stringContaining('translated once')])
  const chapters = [{ startSeconds: 0, title: 'Dawn', translations: {} }]
  const divided = await withVersion(renamed.version).setChapters({ id, chapters })
  // Refusals are in the language of the person.
  const headers = { 'accept-language': 'ko', 'if-match': divided.version }
  const korean = api.client(tenant.code, { token: editor.token, headers }).admin.videos
  const unreadable = new File(['1\n00:00:01 -> 00:00:02\nHello\n'], 'en.srt')
  const refusedCaptions = await failureOf(korean.setCaptions({ id, language: 'en', file: unreadable }))
  expect(refusedCaptions.problem.errors.file?.[0]).toMatch(/^자막 파일을 읽을 수 없어요\("en", \d+번째 줄\): /)
  const missing = await failureOf(korean.get({ id: newId<VideoId>() }))
  expect(missing.problem.errors.id?.[0]).toMatch(/요\.$/)
  const file = new File(['1\n00:00:01,000 --> 00:00:02,000\nThe harbour\n'], 'en.srt')
  const captioned = await withVersion(divided.version).setCaptions({ id, language: 'en', file })
  expect(captioned).toMatchObject({ chapters, captions: [{ language: 'en' }] })
  expect((await videos.captions({ id, language: 'en' })).webVtt).toContain('The harbour')

  // Its history stays once a product shows it. Then it is not deleted here.
  const shown = await videos.use({ id, product: second.code })
  expect(shown.history.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['video.renamed', 'video.chapters-changed', 'video.captions-changed', 'video.shared']),
  )
  expect(await failureOf(videos.retire({ id }))).toMatchObject({ code: 'CONFLICT' })
  const own = newId<VideoId>()
  await tenant.within((db) =>
    db.insert(videoRows).values({ customerId: tenant.id, id: own, asset: `video/${own}`, durationSeconds: 9 }),
  )
  await videos.retire({ id: own })
  expect(await rowOf(tenant, own)).toMatchObject({ retiredAt: expect.any(String), retiredFrom: null })
  expect(await failureOf(videos.get({ id: own }))).toMatchObject({ code: 'NOT_FOUND' })
  expect(await failureOf(videos.retire({ id: own }))).toMatchObject({ code: 'NOT_FOUND' })
  const owner = await tenant.createStaff('OWNER')
  expect((await owner.client.admin.audit({ subject: `video:${own}` })).items).toMatchObject([
    { action: 'video.retired' },
  ])
  const reader = await tenant.createStaff('ANALYST')
  expect(await failureOf(reader.client.admin.videos.retire({ id: first.video.id }))).toMatchObject({ status: 403 })
})
