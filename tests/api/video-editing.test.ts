import { describe, expect, test } from 'vitest'
import { removeVideo } from '#api/modules/media/video-jobs.ts'
import { isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { audit } from '#api/platform/db/platform.schema.ts'
import type { StoreVideo } from '#contract/admin/videos.ts'
import type { RowId, VideoId } from '#contract/ids.ts'
import { addLesson, asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { createTenant, type Tenant, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'
import { makeFilm, writeText } from '#tests/support/video-files.ts'
import { arrangeVideos, videosOf } from '#tests/support/video-jobs.ts'

const api = createTestApi()
const media = await openMedia(api)
const timeout = 60_000
const film = makeFilm('tides.mp4', { size: '160x90', seconds: 6 })
const english = writeText(
  'tides.en.srt',
  '1\n00:00:00,500 --> 00:00:01,500\nThe tide turns at noon.\n\n2\n00:00:04,500 --> 00:00:05,500\nThe boats come home.\n',
)
const srt = (...texts: string[]) =>
  new File(
    [texts.map((text, at) => `${at + 1}\n00:00:0${at},000 --> 00:00:0${at},900\n${text}\n`).join('\n')],
    'captions.srt',
  )
const vtt = (text: string) => new File([`WEBVTT\n\n00:04.100 --> 00:05.000 line:10%\n<i>${text}</i>\n`], 'captions.vtt')

const at = (staff: TestStaff, { version }: Pick<StoreVideo, 'version'>) => staff.withVersion(version).admin.videos

/** A product with an encoded film, English captions, and a preview of its seconds 4 to 6. */
const arrangeFilm = async () => {
  const { tenant, make, tenantVideos } = await arrangeVideos(api)
  const product = await tenant.createProduct({ access: 'FREE', price: null })
  const job = await make({
    productId: product.id,
    path: film,
    previewSeconds: 2,
    previewStartSeconds: 4,
    captions: [{ language: 'en', label: 'English', path: english }],
    chapters: [{ startSeconds: 0, title: 'Opening' }],
  })
  expect(job).toMatchObject({ status: 'READY' })
  const staff = await tenant.createStaff()
  const { videoId } = await staff.client.admin.products.get({ code: product.code })
  if (!videoId) throw new Error('The product has no video')
  return { tenant, tenantVideos, product, staff, video: await staff.client.admin.videos.get({ id: videoId }) }
}

describe('captions', () => {
  test(
    'earlier versions are listed with who saved them, and are read by their file alone',
    async () => {
      const { staff, video } = await arrangeFilm()
      const { id } = video
      const read = (file?: string) => staff.client.admin.videos.captions({ id, language: 'en', ...(file && { file }) })
      expect((await read()).versions).toEqual([])
      const second = await at(staff, video).setCaptions({ id, language: 'en', file: srt('Second') })
      const removed = await at(staff, second).removeCaptions({ id, language: 'en' })
      await at(staff, removed).setCaptions({ id, language: 'en', file: srt('Third') })

      const { versions, webVtt } = await read()
      expect(webVtt).toContain('Third')
      expect(versions).toMatchObject([
        { by: `staff:${staff.email}`, savedAt: expect.any(String) },
        { by: null, savedAt: null },
      ])
      const [later, first] = versions
      expect((await read(later!.file)).webVtt).toContain('Second')
      expect((await read(first!.file)).webVtt).toContain('The tide turns at noon.')
      // Restored: it is the present one, and the one before is a version.
      const restored = new File([(await read(first!.file)).webVtt], 'captions.vtt')
      const { version } = await staff.client.admin.videos.get({ id })
      await at(staff, { version }).setCaptions({ id, language: 'en', file: restored })
      expect((await read()).webVtt).toContain('The tide turns at noon.')
      expect((await read()).versions).toHaveLength(3)
      for (const file of ['en-0123456789abcdef', 'ko', 'master'])
        expect(await failureOf(read(file))).toMatchObject({ code: 'NOT_FOUND' })
    },
    timeout,
  )

  test(
    'earlier versions stay when other products show the video too, and after many changes of the product',
    async () => {
      const { tenant, product, staff, video } = await arrangeFilm()
      const { id } = video
      const read = () => staff.client.admin.videos.captions({ id, language: 'en' })
      const second = await at(staff, video).setCaptions({ id, language: 'en', file: srt('Second') })
      // Its code sorts before that of the first product.
      const other = await createFilm(tenant, { code: '0-first' })
      const { version } = await staff.client.admin.videos.use({ id, product: other.code })
      expect((await read()).versions).toHaveLength(1)
      await at(staff, { ...second, version }).setCaptions({ id, language: 'en', file: srt('Third') })
      const saved = { by: `staff:${staff.email}`, savedAt: expect.any(String) }
      expect((await read()).versions).toMatchObject([saved, { by: null, savedAt: null }])

      await tenant.within(async (db) => {
        const [entry] = await db.select().from(audit).limit(1)
        const rows = Array.from({ length: 60 }, () => ({
          ...entry!,
          id: newId<RowId>(),
          at: api.clock.now().toISOString(),
          subject: `product:${other.code}`,
          action: 'product.changed',
        }))
        await db.insert(audit).values(rows)
      })
      expect((await read()).versions).toMatchObject([saved, { by: null, savedAt: null }])

      // The product that had it first shows something else now.
      const replacement = await createFilm(tenant)
      await staff.client.admin.videos.use({ id: replacement.video.id, product: product.code })
      expect((await read()).versions).toMatchObject([saved, { by: null, savedAt: null }])
    },
    timeout,
  )

  test(
    'edited captions reach the next play, its preview, other players and the search; the files before stay',
    async () => {
      const { tenant, product, staff, video } = await arrangeFilm()
      const { id } = video
      expect(video).toMatchObject({
        shownBy: [{ productCode: product.code, lessonId: null }],
        captions: [{ language: 'en', label: 'English' }],
        chapters: [{ startSeconds: 0, title: 'Opening', translations: {} }],
      })
      const stored = await staff.client.admin.videos.captions({ id, language: 'en' })
      expect(stored.webVtt).toContain('The tide turns at noon.')
      const before = await tenant.guest.playback.startPlayback({ id: product.id })
      const previewBefore = await tenant.guest.playback.preview({ id: product.id, previewId: id })

      const changed = await at(staff, video).setCaptions({ id, language: 'en', file: vtt('The ebb begins.') })
      expect(changed.captions).toEqual([{ language: 'en', label: 'English' }])
      expect(changed.version).not.toBe(video.version)
      const after = await tenant.guest.playback.startPlayback({ id: product.id })
      const [track] = after.captions
      expect((await media.get(track?.url ?? '')).text).toContain('00:00:04.100 --> 00:00:05.000 line:10%\n<i>The ebb')
      const master = (await media.get(after.manifestUrl)).text
      const [, playlist] = /TYPE=SUBTITLES.*NAME="English",LANGUAGE="en",.*URI="([^"]+)"/.exec(master) ?? []
      const captionList = await media.get(after.manifestUrl.replace(/[^/]+$/, playlist ?? ''))
      expect(captionList.text).toContain(track?.url.split('/').at(-1))
      expect(master.match(/SUBTITLES="captions"/g)?.length).toBe(master.match(/#EXT-X-STREAM-INF/g)?.length)

      const preview = await tenant.guest.playback.preview({ id: product.id, previewId: id })
      expect((await media.get(preview.manifestUrl)).status).toBe(200)
      expect((await media.get(preview.captions[0]?.url ?? '')).text).toContain('00:00:00.100 --> 00:00:01.000')
      for (const url of [before.manifestUrl, before.captions[0]?.url, previewBefore.captions[0]?.url])
        expect((await media.get(url ?? '')).text).not.toContain('ebb')
      expect((await media.get(before.captions[0]?.url ?? '')).text).toContain('turns at noon')

      expect((await tenant.guest.catalog.search({ q: 'ebb begins' })).captionMatches).toHaveLength(1)
      expect((await tenant.guest.catalog.search({ q: 'turns at noon' })).captionMatches).toEqual([])
      const { items } = await staff.client.admin.audit({ subject: `product:${product.code}` })
      expect(items[0]).toMatchObject({ action: 'video.captions-changed', detail: { language: 'en', captions: 1 } })
    },
    timeout,
  )

  test(
    'a language is added with its own name, in an old encoding, relabelled, and removed',
    async () => {
      const { tenant, product, staff, video } = await arrangeFilm()
      const { id } = video
      // CP949 of 가나다.
      const words = new Uint8Array(Buffer.from('b0a1b3aab4d9', 'hex'))
      const korean = new File(['1\n00:00:01,000 --> 00:00:02,000\n', words, '\n'], 'old.srt')
      const added = await at(staff, video).setCaptions({ id, language: 'ko-KR', file: korean })
      expect(added.captions).toEqual([
        { language: 'en', label: 'English' },
        { language: 'ko-KR', label: '한국어(대한민국)' },
      ])
      expect((await staff.client.admin.videos.captions({ id, language: 'ko-KR' })).webVtt).toContain('가나다')
      const { captions, manifestUrl } = await tenant.guest.playback.startPlayback({ id: product.id })
      expect(captions.map(({ language }) => language)).toEqual(['en', 'ko-KR'])
      expect((await media.get(captions[0]?.url ?? '')).text).toContain('turns at noon')
      expect((await media.get(manifestUrl)).text.match(/TYPE=SUBTITLES/g)).toHaveLength(2)

      const named = await at(staff, added).setCaptions({ id, language: 'ko-KR', label: '해설 자막', file: srt('가') })
      expect(named.captions[1]).toEqual({ language: 'ko-KR', label: '해설 자막' })
      const less = await at(staff, named).removeCaptions({ id, language: 'en' })
      const none = await at(staff, less).removeCaptions({ id, language: 'ko-KR' })
      expect(none.captions).toEqual([])
      const last = await tenant.guest.playback.startPlayback({ id: product.id })
      expect(last.captions).toEqual([])
      const master = await media.get(last.manifestUrl)
      expect(master.status).toBe(200)
      expect(master.text).not.toMatch(/SUBTITLES/)
      expect((await tenant.guest.catalog.search({ q: 'turns at noon' })).captionMatches).toEqual([])
      expect(await failureOf(at(staff, none).removeCaptions({ id, language: 'ko-KR' }))).toMatchObject({
        code: 'NOT_FOUND',
      })
    },
    timeout,
  )

  test(
    'of two changes at once one wins, and the other is told',
    async () => {
      const { staff, video } = await arrangeFilm()
      const { id } = video
      const answers = await Promise.allSettled(
        ['One.', 'Two.'].map((text) => at(staff, video).setCaptions({ id, language: 'en', file: srt(text) })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const { webVtt } = await staff.client.admin.videos.captions({ id, language: 'en' })
      expect(webVtt).toContain(answers[0]?.status === 'fulfilled' ? 'One.' : 'Two.')
      expect(await failureOf(at(staff, video).setChapters({ id, chapters: [] }))).toMatchObject({
        code: 'VERSION_CONFLICT',
      })
      expect(await failureOf(staff.client.admin.videos.setChapters({ id, chapters: [] }))).toMatchObject({
        code: 'VERSION_MISSING',
      })
    },
    timeout,
  )

  test(
    'an invalid file is refused with its line, and nothing changes',
    async () => {
      const { staff, video } = await arrangeFilm()
      const { id } = video
      const refusalOf = async (file: File, language = 'en') =>
        failureOf(at(staff, video).setCaptions({ id, language, file }))
      const late = new File(['1\n00:01:00,000 --> 00:01:01,000\nToo late.\n'], 'late.srt')
      expect(await refusalOf(new File(['1\n00:00:01 -> 00:00:02\nHello\n'], 'bad.srt'))).toMatchObject({
        code: 'VALIDATION_FAILED',
        problem: { errors: { file: [expect.stringContaining('line 1')] } },
      })
      expect(await refusalOf(late)).toMatchObject({
        problem: { errors: { file: [expect.stringContaining('after the end')] } },
      })
      expect(await refusalOf(srt('Hello'), 'english')).toMatchObject({
        problem: { errors: { language: [expect.any(String)] } },
      })
      expect(await staff.client.admin.videos.get({ id })).toMatchObject({ version: video.version })
    },
    timeout,
  )
})

describe('chapters', () => {
  const arrange = async () => {
    const tenant = await createTenant(api)
    const { video, id, code } = await createFilm(tenant, { access: 'FREE', price: null })
    const staff = await tenant.createStaff()
    return { tenant, id, code, staff, video: await staff.client.admin.videos.get({ id: video.id }) }
  }
  const chapters = [
    { startSeconds: 0, title: 'Opening', translations: { ko: '시작' } },
    { startSeconds: 40.5, title: 'The storm', translations: {} },
  ]

  test('chapters are set with their translations, and viewers see them', async () => {
    const { tenant, id, code, staff, video } = await arrange()
    const changed = await at(staff, video).setChapters({ id: video.id, chapters })
    expect(changed.chapters).toEqual(chapters)
    expect(changed.history).toMatchObject([{ action: 'video.chapters-changed', actor: `staff:${staff.email}` }])
    const seenIn = async (language: string) =>
      (
        await api.client(tenant.code, { headers: { 'accept-language': language } }).playback.startPlayback({ id })
      ).chapters.map(({ startSeconds, title }) => [startSeconds, title])
    const { locale } = tenant.settings.base
    expect(locale).toBe('en')
    expect(await seenIn('en')).toEqual([
      [0, 'Opening'],
      [40.5, 'The storm'],
    ])
    expect(await seenIn('ko')).toEqual([
      [0, '시작'],
      [40.5, 'The storm'],
    ])
    const { items } = await staff.client.admin.audit({ subject: `product:${code}` })
    expect(items[0]).toMatchObject({ action: 'video.chapters-changed', changes: { chapters: { from: [] } } })
    const none = await at(staff, changed).setChapters({ id: video.id, chapters: [] })
    expect(none.chapters).toEqual([])
    expect(await seenIn('ko')).toEqual([])
  })

  test('the chapters of a lesson keep the other translations of the lesson', async () => {
    const { staff, code, id, tenant } = await arrange()
    const lesson = await addLesson(tenant, id, 1, true)
    const parts = await staff.client.admin.products.parts({ code })
    const lessons = parts.lessons.map(({ id: lessonId, title, summary, free }) => {
      return { id: lessonId, title, summary, free, translations: { ko: { title: '첫 강의' } } }
    })
    await staff.withVersion(parts.version).admin.products.changeParts({ code, lessons })
    const ofLesson = await staff.client.admin.videos.get({ id: lesson.video.id })
    expect(ofLesson).toMatchObject({ shownBy: [{ productCode: code, lessonId: lesson.id, title: 'Lesson 1' }] })
    await at(staff, ofLesson).setChapters({ id: lesson.video.id, chapters })
    const after = await staff.client.admin.products.parts({ code })
    expect(after.lessons[0]).toMatchObject({ videoId: lesson.video.id, translations: { ko: { title: '첫 강의' } } })
  })

  test.for([
    ['a start that repeats', [chapters[0], { ...chapters[1], startSeconds: 0 }], 'chapters.1.startSeconds'],
    ['a start after the end', [{ ...chapters[0], startSeconds: 100 }], 'chapters.0.startSeconds'],
    ['an empty title', [{ ...chapters[0], title: ' ' }], 'chapters.0.title'],
    ['a language that the store lacks', [{ ...chapters[0], translations: { ja: '序' } }], 'translations'],
  ] as const)('chapters with %s are refused by field', async ([, given, field]) => {
    const { staff, video } = await arrange()
    const refused = await failureOf(
      at(staff, video).setChapters({ id: video.id, chapters: given as unknown as typeof chapters }),
    )
    expect(refused).toMatchObject({ code: 'VALIDATION_FAILED', problem: { errors: { [field]: [expect.any(String)] } } })
  })
})

describe('the stream of a video in the console', () => {
  const cookies = (token: string) => ({ cookie: `staff=${token}`, 'sec-fetch-site': 'same-origin' })
  const streamOf = async (staff: TestStaff, id: VideoId) =>
    (await staff.client.admin.videos.get({ id })).stream?.manifestUrl ?? ''
  const arrange = async () => {
    const tenant = await createTenant(api)
    const { video, id, code } = await createFilm(tenant)
    await media.write(`${video.asset}/master.m3u8`, '#EXTM3U\n')
    const staff = await tenant.createStaff()
    return { tenant, staff, video, code, productId: id, url: await streamOf(staff, video.id) }
  }
  const statusOf = async (url: string, headers: Record<string, string>) => (await media.get(url, headers)).status

  test('opens in the session of the person who asked, and nowhere else', async () => {
    const { tenant, staff, video, url } = await arrange()
    expect(await statusOf(url, cookies(staff.token))).toBe(200)
    const member = await tenant.createMember()
    const other = await tenant.createStaff()
    const foreign: Tenant = await createTenant(api)
    for (const headers of [
      {},
      asMember(member.token),
      { cookie: `staff=${staff.token}` },
      { cookie: `staff=${staff.token}`, 'sec-fetch-site': 'cross-site' },
      cookies(other.token),
      cookies((await foreign.createStaff()).token),
      cookies('mqs_none'),
    ])
      expect([headers, await statusOf(url, headers)]).toEqual([headers, 403])
    const program = await tenant.createOperator()
    expect((await program.client.admin.videos.get({ id: video.id })).stream).toBeNull()
  })

  test('ends with the session, and with the video', async () => {
    const { tenant, staff, url, productId, code } = await arrange()
    const target = { productId, productCode: code, lessonId: null }
    const { ctx } = await videosOf(api, tenant)
    const removed = await ctx.inTransaction((inside) => removeVideo(inside, 'admin:Jo', target))
    expect(isFailure(removed)).toBe(false)
    expect(await statusOf(url, cookies(staff.token))).toBe(403)
    const second = await arrange()
    await second.staff.client.staff.signOut()
    expect(await statusOf(second.url, cookies(second.staff.token))).toBe(403)
  })

  test('a video that nothing shows is not found', async () => {
    const { staff } = await arrange()
    const id = newId<VideoId>()
    expect(await failureOf(staff.client.admin.videos.get({ id }))).toMatchObject({ code: 'NOT_FOUND' })
  })
})
