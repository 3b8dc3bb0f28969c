import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { type CaptionCues, saveCaptionCues } from '#api/modules/catalog/captions.ts'
import { lessons, products } from '#api/modules/catalog/catalog.schema.ts'
import type { CaptionMatch } from '#contract/catalog.ts'
import { buy } from '#tests/support/buying.ts'
import { addLesson, createFilm } from '#tests/support/media.ts'
import { createTenant, type ProductWish, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

/** Captions of four seconds each, from the first second. */
const track = (language: string, ...texts: string[]): CaptionCues => ({
  language,
  cues: texts.map((text, index) => ({ startSeconds: 1 + index * 4, endSeconds: 4 + index * 4, text })),
})
const say = (tenant: Tenant, videoId: string, ...tracks: CaptionCues[]) =>
  tenant.within((db) => saveCaptionCues(db, tenant.id, videoId, tracks))

const spokenFilm = async (tenant: Tenant, wish: ProductWish, ...tracks: CaptionCues[]) => {
  const film = await createFilm(tenant, { title: 'Untitled', access: 'FREE', ...wish })
  await say(tenant, film.video.id, ...tracks)
  return film
}

const momentsOf = async (tenant: Tenant, q: string, client = tenant.guest) =>
  (await client.catalog.search({ q })).captionMatches
const marked = ({ snippet, hits }: CaptionMatch) => hits.map(({ start, end }) => snippet.slice(start, end))
const times = (moments: readonly CaptionMatch[]) => moments.map(({ startSeconds }) => startSeconds)

describe('A search', () => {
  test('finds the second at which a sentence is spoken, and marks it', async () => {
    const tenant = await createTenant(api)
    const film = await spokenFilm(
      tenant,
      { title: 'Knives' },
      track('en', 'Good evening.', 'Keep the blade <i>away</i> from you,\nand your wrist still.', 'Now we cut.'),
    )
    const [moment, ...more] = await momentsOf(tenant, 'blade away from you')
    expect(more).toEqual([])
    expect(moment).toMatchObject({
      product: { id: film.id, code: film.code, title: 'Knives' },
      lesson: null,
      startSeconds: 5,
      language: 'en',
      locked: false,
      snippet: 'Good evening. Keep the blade away from you, and your wrist still. Now we cut.',
    })
    expect(marked(moment!)).toEqual(['blade away from you'])
    expect(marked((await momentsOf(tenant, 'WRIST stil'))[0]!)).toEqual(['wrist stil'])
    expect(await momentsOf(tenant, 'blade towards you')).toEqual([])
  })

  test('finds Korean and Japanese inside words, however they are spaced, and across captions', async () => {
    const tenant = await createTenant(api)
    await spokenFilm(
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
      expect([q, (await momentsOf(tenant, q!)).map(marked)]).toEqual([q, [[hit]]])
    expect(times(await momentsOf(tenant, '하나가 지나'))).toEqual([1])
    expect(await momentsOf(tenant, '성혜')).toEqual([])
  })

  test('finds a sentence that goes on in the next passage once, wherever it falls', async () => {
    const tenant = await createTenant(api)
    const words = Array.from({ length: 70 }, (_, index) => `alpha${index} omega${index}`)
    await spokenFilm(tenant, {}, track('en', ...words))
    for (let index = 0; index < 69; index++)
      expect(times(await momentsOf(tenant, `omega${index} alpha${index + 1}`))).toEqual([1 + index * 4])
  })

  test('finds words that stand close together, and the whole phrase before them', async () => {
    const tenant = await createTenant(api)
    await spokenFilm(tenant, { title: 'Apart' }, track('en', 'Salt goes first,', 'then the lemon.'))
    await spokenFilm(tenant, { title: 'Together' }, track('en', 'Lemon salt is the secret.'))
    await spokenFilm(tenant, { title: 'Far' }, track('en', 'Lemon.', 'So.', 'And.', 'Well.', 'Yes.', 'Salt.'))
    const found = await momentsOf(tenant, 'lemon salt')
    expect(found.map(({ product }) => product.title)).toEqual(['Together', 'Apart'])
    expect(found.map(marked)).toEqual([['Lemon salt'], ['Salt', 'lemon']])
  })

  test('shows one sentence in two languages once', async () => {
    const tenant = await createTenant(api)
    await spokenFilm(
      tenant,
      {},
      track('en', 'This is CRISPR.', 'Goodbye.'),
      track('ko', '이것이 CRISPR입니다.', '안녕.'),
    )
    expect(times(await momentsOf(tenant, 'crispr'))).toEqual([1])
    expect(await momentsOf(tenant, '안녕')).toMatchObject([{ language: 'ko', startSeconds: 5 }])
  })

  test('names the lesson, follows the list’s filters, and stands on the first page alone', async () => {
    const tenant = await createTenant(api)
    const course = await tenant.createProduct({ kind: 'PAY', access: 'PURCHASE', title: 'Bread' })
    const lesson = await addLesson(tenant, course.id, 1, true)
    await say(tenant, lesson.video.id, track('en', 'Fold the dough gently.'))
    const search = async (filter: object) =>
      (await tenant.guest.catalog.search({ q: 'fold the dough', ...filter })).captionMatches
    expect(await search({})).toMatchObject([{ lesson: { id: lesson.id, title: 'Lesson 1' }, locked: false }])
    expect(await search({ kind: ['PAY'] })).toHaveLength(1)
    expect(await search({ kind: ['VOD'] })).toEqual([])
    expect(await search({ page: 2 })).toEqual([])
    expect((await tenant.guest.catalog.search({})).captionMatches).toEqual([])
  })

  test('is not broken by strange captions, nor by strange questions', async () => {
    const tenant = await createTenant(api)
    const film = await spokenFilm(
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
      await momentsOf(tenant, q)
    expect((await momentsOf(tenant, 'alpha')).map(marked)).toEqual([['𝒜𝓁𝓅𝒽𝒶']])
    expect((await momentsOf(tenant, 'ガラス')).map(marked)).toEqual([['ガラス']])
    expect(times(await momentsOf(tenant, "it's 50"))).toEqual([1])
    await say(tenant, film.video.id)
    expect(await momentsOf(tenant, 'alpha')).toEqual([])
  })
})

describe('Who may not watch', () => {
  const secret = [
    'We begin at the old lighthouse near the harbour wall.',
    'The treasure lies beneath the seventh stone counted from the western side of the gate.',
    'Dig there at dawn.',
  ]

  test('learns that it is said and no more; the same sentence opens with the right', async () => {
    const tenant = await createTenant(api)
    const [member, other] = [await tenant.createMember(), await tenant.createMember()]
    const film = await spokenFilm(tenant, { access: 'PURCHASE', price: 1200 }, track('en', ...secret))
    const teaser = {
      locked: true,
      startSeconds: 5,
      product: { id: film.id, access: 'PURCHASE', price: { amount: 1200 } },
    }
    for (const client of [tenant.guest, member.client]) {
      const [moment] = await momentsOf(tenant, 'seventh stone', client)
      expect(moment).toMatchObject(teaser)
      expect(moment!.snippet.length).toBeLessThanOrEqual(62)
      expect(marked(moment!)).toEqual(['seventh stone'])
      for (const word of ['treasure', 'gate', 'lighthouse', 'dawn']) expect(moment!.snippet).not.toContain(word)
    }
    // A word that is said three times tells three times as much: not to them.
    expect(await momentsOf(tenant, 'the', member.client)).toHaveLength(1)

    await buy(api, tenant, member, film)
    const [open] = await momentsOf(tenant, 'seventh stone', member.client)
    expect(open).toMatchObject({ locked: false, startSeconds: 5 })
    expect(open!.snippet).toContain('treasure')
    expect((await momentsOf(tenant, 'seventh stone', other.client))[0]).toMatchObject(teaser)
  })

  test('finds a free lesson of a course open, and the others closed', async () => {
    const tenant = await createTenant(api)
    const course = await tenant.createProduct({ access: 'PURCHASE' })
    for (const [sort, free] of [
      [1, true],
      [2, false],
    ] as const)
      await say(
        tenant,
        (await addLesson(tenant, course.id, sort, free)).video.id,
        track('en', 'Hold the brush upright.'),
      )
    const found = await momentsOf(tenant, 'brush upright')
    expect(found.map(({ lesson, locked }) => [lesson?.title, locked]).sort()).toEqual([
      ['Lesson 1', false],
      ['Lesson 2', true],
    ])
  })

  test('is led to the place where anyone may watch the same video', async () => {
    const tenant = await createTenant(api)
    const film = await spokenFilm(tenant, { access: 'PURCHASE', sort: 9 }, track('en', ...secret))
    const course = await tenant.createProduct({ access: 'PURCHASE', sort: 1 })
    const lesson = await addLesson(tenant, course.id, 1, true)
    await tenant.within((db) => db.update(lessons).set({ videoId: film.video.id }).where(eq(lessons.id, lesson.id)))
    const there = { product: { id: course.id }, lesson: { id: lesson.id }, locked: false }
    expect(await momentsOf(tenant, 'seventh stone')).toMatchObject([there])
    expect((await tenant.guest.catalog.suggest({ q: 'seventh stone' })).captionMatches).toMatchObject([there])
  })

  test('finds nothing of products the store does not show', async () => {
    const tenant = await createTenant(api)
    const film = await spokenFilm(tenant, {}, track('en', ...secret))
    for (const status of ['DRAFT', 'HIDDEN', 'ENDED'] as const) {
      await tenant.within((db) => db.update(products).set({ status }).where(eq(products.id, film.id)))
      expect([status, await momentsOf(tenant, 'seventh stone')]).toEqual([status, []])
    }
    await tenant.within((db) =>
      db
        .update(products)
        .set({ status: 'ON_SALE', saleFrom: new Date(api.clock.now().getTime() + 86_400_000).toISOString() })
        .where(eq(products.id, film.id)),
    )
    expect(await momentsOf(tenant, 'seventh stone')).toEqual([])
  })

  test('of another tenant finds nothing at all', async () => {
    const [tenant, stranger] = [await createTenant(api), await createTenant(api)]
    await spokenFilm(tenant, {}, track('en', ...secret))
    expect(await momentsOf(stranger, 'seventh stone')).toEqual([])
    const direct = await stranger.within((db) =>
      db.$client.query("SELECT * FROM matching_passages($1, $2, 'stone', 10, 10)", [
        tenant.id,
        `'${tenant.id.slice(-8)}stone'`,
      ]),
    )
    expect(direct.rows).toEqual([])
  })

  test('reads teasers while typing, whoever they are', async () => {
    const tenant = await createTenant(api)
    await spokenFilm(tenant, { access: 'PURCHASE' }, track('en', ...secret))
    const { captionMatches } = await tenant.guest.catalog.suggest({ q: 'seventh sto' })
    expect(captionMatches).toMatchObject([{ locked: true, startSeconds: 5 }])
    expect(captionMatches[0]!.snippet).not.toContain('treasure')
  })
})
