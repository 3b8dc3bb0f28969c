import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { type CaptionCues, saveCaptionCues } from '#api/modules/catalog/captions.ts'
import { lessons, products } from '#api/modules/catalog/catalog.schema.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import type { CaptionMatch } from '#contract/catalog.ts'
import type { VideoId } from '#contract/ids.ts'
import { buy } from '#tests/support/buying.ts'
import { addLesson, createFilm } from '#tests/support/media.ts'
import { createTenant, type ProductInput, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

/** Captions of four seconds each, from the first second. */
const track = (language: string, ...texts: string[]): CaptionCues => ({
  language,
  cues: texts.map((text, index) => ({ startSeconds: 1 + index * 4, endSeconds: 4 + index * 4, text })),
})
const saveCaptions = (tenant: Tenant, videoId: VideoId, ...tracks: CaptionCues[]) =>
  tenant.within((db) => saveCaptionCues(db, tenant.id, videoId, tracks))

const createCaptionedFilm = async (tenant: Tenant, input: ProductInput, ...tracks: CaptionCues[]) => {
  const film = await createFilm(tenant, { title: 'Untitled', access: 'FREE', ...input })
  await saveCaptions(tenant, film.video.id, ...tracks)
  return film
}

const matchesOf = async (tenant: Tenant, q: string, client = tenant.guest) =>
  (await client.catalog.search({ q })).captionMatches
const highlightsOf = ({ snippet, hits }: CaptionMatch) => hits.map(({ start, end }) => snippet.slice(start, end))
const startsOf = (matches: readonly CaptionMatch[]) => matches.map(({ startSeconds }) => startSeconds)

describe('Caption search', () => {
  test('caption search finds the second of a spoken sentence and highlights it', async () => {
    const tenant = await createTenant(api)
    const film = await createCaptionedFilm(
      tenant,
      { title: 'Knives' },
      track('en', 'Good evening.', 'Keep the blade <i>away</i> from you,\nand your wrist still.', 'Now we cut.'),
    )
    const [match, ...more] = await matchesOf(tenant, 'blade away from you')
    expect(more).toEqual([])
    expect(match).toMatchObject({
      product: { id: film.id, code: film.code, title: 'Knives' },
      lesson: null,
      startSeconds: 5,
      language: 'en',
      locked: false,
      snippet: 'Good evening. Keep the blade away from you, and your wrist still. Now we cut.',
    })
    expect(highlightsOf(match!)).toEqual(['blade away from you'])
    expect(highlightsOf((await matchesOf(tenant, 'WRIST stil'))[0]!)).toEqual(['wrist stil'])
    expect(await matchesOf(tenant, 'blade towards you')).toEqual([])
  })

  test('caption search finds Korean and Japanese inside words, with any spacing, and across captions', async () => {
    const tenant = await createTenant(api)
    await createCaptionedFilm(
      tenant,
      {},
      track('ko', '저기, 혜성 하나가', '지나갑니다.'),
      track('ja', '東京の夜景は', 'きれいです。'),
    )
    for (const [q, hit] of [
      ['혜성', '혜성'],
      ['혜성하나', '혜성 하나'],
      ['하나가 지나', '하나가 지나'],
      ['나갑', '나갑'],
      ['夜景', '夜景'],
      ['夜景はきれい', '夜景は きれい'],
    ])
      expect([q, (await matchesOf(tenant, q!)).map(highlightsOf)]).toEqual([q, [[hit]]])
    expect(startsOf(await matchesOf(tenant, '하나가 지나'))).toEqual([1])
    expect(await matchesOf(tenant, '성혜')).toEqual([])
  })

  test('caption search finds a sentence that spans two passages once', async () => {
    const tenant = await createTenant(api)
    const words = Array.from({ length: 70 }, (_, index) => `alpha${index} omega${index}`)
    await createCaptionedFilm(tenant, {}, track('en', ...words))
    for (let index = 0; index < 69; index++)
      expect(startsOf(await matchesOf(tenant, `omega${index} alpha${index + 1}`))).toEqual([1 + index * 4])
  })

  test('caption search ranks the whole phrase before nearby words, and omits distant words', async () => {
    const tenant = await createTenant(api)
    await createCaptionedFilm(tenant, { title: 'Apart' }, track('en', 'Salt goes first,', 'then the lemon.'))
    await createCaptionedFilm(tenant, { title: 'Together' }, track('en', 'Lemon salt is the secret.'))
    await createCaptionedFilm(tenant, { title: 'Far' }, track('en', 'Lemon.', 'So.', 'And.', 'Well.', 'Yes.', 'Salt.'))
    const matches = await matchesOf(tenant, 'lemon salt')
    expect(matches.map(({ product }) => product.title)).toEqual(['Together', 'Apart'])
    expect(matches.map(highlightsOf)).toEqual([['Lemon salt'], ['Salt', 'lemon']])
  })

  test('caption search lists a sentence in two languages once', async () => {
    const tenant = await createTenant(api)
    await createCaptionedFilm(
      tenant,
      {},
      track('en', 'This is CRISPR.', 'Goodbye.'),
      track('ko', '이것이 CRISPR입니다.', '안녕.'),
    )
    expect(startsOf(await matchesOf(tenant, 'crispr'))).toEqual([1])
    expect(await matchesOf(tenant, '안녕')).toMatchObject([{ language: 'ko', startSeconds: 5 }])
  })

  test('caption matches name the lesson, respect the filters, and are on the first page only', async () => {
    const tenant = await createTenant(api)
    const course = await tenant.createProduct({ kind: 'PAY', access: 'PURCHASE', title: 'Bread' })
    const lesson = await addLesson(tenant, course.id, 1, true)
    await saveCaptions(tenant, lesson.video.id, track('en', 'Fold the dough gently.'))
    const search = async (filter: object) =>
      (await tenant.guest.catalog.search({ q: 'fold the dough', ...filter })).captionMatches
    expect(await search({})).toMatchObject([{ lesson: { id: lesson.id, title: 'Lesson 1' }, locked: false }])
    expect(await search({ kind: ['PAY'] })).toHaveLength(1)
    expect(await search({ kind: ['VOD'] })).toEqual([])
    expect(await search({ page: 2 })).toEqual([])
    expect((await tenant.guest.catalog.search({})).captionMatches).toEqual([])
  })

  test('caption search handles unusual captions and queries', async () => {
    const tenant = await createTenant(api)
    const film = await createCaptionedFilm(
      tenant,
      {},
      track('en', `It's "50%" & <b>o'clock</b> \\ :* | !`, '𝒜𝓁𝓅𝒽𝒶 👩‍🚀 x\u0000y', 'ｶﾞﾗｽ', 'A'.repeat(5000), '   ', ''),
    )
    for (const q of [
      "it's 50",
      "o'clock",
      ':* | !',
      '&',
      "'",
      '\\',
      'x y',
      '👩‍🚀',
      'a'.repeat(100),
      '가'.repeat(100),
      'a b c d e f g',
    ])
      await matchesOf(tenant, q)
    expect((await matchesOf(tenant, 'alpha')).map(highlightsOf)).toEqual([['𝒜𝓁𝓅𝒽𝒶']])
    expect((await matchesOf(tenant, 'ガラス')).map(highlightsOf)).toEqual([['ガラス']])
    expect(startsOf(await matchesOf(tenant, "it's 50"))).toEqual([1])
    await saveCaptions(tenant, film.video.id)
    expect(await matchesOf(tenant, 'alpha')).toEqual([])
  })
})

describe('Caption matches without entitlement', () => {
  const secret = [
    'We begin at the old lighthouse near the harbour wall.',
    'The treasure lies beneath the seventh stone counted from the western side of the gate.',
    'Dig there at dawn.',
  ]

  test('a locked caption match shows only the searched words, and its context after the purchase', async () => {
    const tenant = await createTenant(api)
    const [member, other] = [await tenant.createMember(), await tenant.createMember()]
    const film = await createCaptionedFilm(tenant, { access: 'PURCHASE', price: 1200 }, track('en', ...secret))
    const teaser = {
      locked: true,
      startSeconds: 5,
      product: { id: film.id, access: 'PURCHASE', price: { amount: 1200 } },
    }
    for (const client of [tenant.guest, member.client]) {
      const [match] = await matchesOf(tenant, 'seventh stone', client)
      expect(match).toMatchObject(teaser)
      expect(match!.snippet.length).toBeLessThanOrEqual(62)
      expect(highlightsOf(match!)).toEqual(['seventh stone'])
      for (const word of ['treasure', 'gate', 'lighthouse', 'dawn']) expect(match!.snippet).not.toContain(word)
    }
    // Several matches of one word would reveal more of the captions.
    expect(await matchesOf(tenant, 'the', member.client)).toHaveLength(1)

    await buy(api, tenant, member, film)
    const [open] = await matchesOf(tenant, 'seventh stone', member.client)
    expect(open).toMatchObject({ locked: false, startSeconds: 5 })
    expect(open!.snippet).toContain('treasure')
    expect((await matchesOf(tenant, 'seventh stone', other.client))[0]).toMatchObject(teaser)
  })

  test('caption matches in a free lesson are unlocked, and in other lessons locked', async () => {
    const tenant = await createTenant(api)
    const course = await tenant.createProduct({ access: 'PURCHASE' })
    for (const [sort, free] of [
      [1, true],
      [2, false],
    ] as const)
      await saveCaptions(
        tenant,
        (await addLesson(tenant, course.id, sort, free)).video.id,
        track('en', 'Hold the brush upright.'),
      )
    const matches = await matchesOf(tenant, 'brush upright')
    expect(matches.map(({ lesson, locked }) => [lesson?.title, locked]).sort()).toEqual([
      ['Lesson 1', false],
      ['Lesson 2', true],
    ])
  })

  test('a caption match links to the product in which anyone may watch the video', async () => {
    const tenant = await createTenant(api)
    const film = await createCaptionedFilm(tenant, { access: 'PURCHASE', sort: 9 }, track('en', ...secret))
    const course = await tenant.createProduct({ access: 'PURCHASE', sort: 1 })
    const lesson = await addLesson(tenant, course.id, 1, true)
    await tenant.within((db) => db.update(lessons).set({ videoId: film.video.id }).where(eq(lessons.id, lesson.id)))
    const there = { product: { id: course.id }, lesson: { id: lesson.id }, locked: false }
    expect(await matchesOf(tenant, 'seventh stone')).toMatchObject([there])
    expect((await tenant.guest.catalog.suggest({ q: 'seventh stone' })).captionMatches).toMatchObject([there])
  })

  test('caption search excludes products that the store does not show', async () => {
    const tenant = await createTenant(api)
    const film = await createCaptionedFilm(tenant, {}, track('en', ...secret))
    for (const status of ['DRAFT', 'HIDDEN', 'ENDED'] as const) {
      await tenant.within((db) => db.update(products).set({ status }).where(eq(products.id, film.id)))
      expect([status, await matchesOf(tenant, 'seventh stone')]).toEqual([status, []])
    }
    await tenant.within((db) =>
      db
        .update(products)
        .set({ status: 'ON_SALE', saleFrom: new Date(api.clock.now().getTime() + dayMilliseconds).toISOString() })
        .where(eq(products.id, film.id)),
    )
    expect(await matchesOf(tenant, 'seventh stone')).toEqual([])
  })

  test('caption search excludes other tenants', async () => {
    const [tenant, stranger] = [await createTenant(api), await createTenant(api)]
    await createCaptionedFilm(tenant, {}, track('en', ...secret))
    expect(await matchesOf(stranger, 'seventh stone')).toEqual([])
    const direct = await stranger.within((db) =>
      db.$client.query("SELECT * FROM matching_passages($1, $2, 'stone', 10, 10)", [
        tenant.id,
        `'${tenant.id.slice(-8)}stone'`,
      ]),
    )
    expect(direct.rows).toEqual([])
  })

  test('suggestions show locked caption matches without their context', async () => {
    const tenant = await createTenant(api)
    await createCaptionedFilm(tenant, { access: 'PURCHASE' }, track('en', ...secret))
    const { captionMatches } = await tenant.guest.catalog.suggest({ q: 'seventh sto' })
    expect(captionMatches).toMatchObject([{ locked: true, startSeconds: 5 }])
    expect(captionMatches[0]!.snippet).not.toContain('treasure')
  })
})
