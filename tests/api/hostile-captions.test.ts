import fc from 'fast-check'
import { expect, test } from 'vitest'
import { saveCaptionCues } from '#api/modules/catalog/captions.ts'
import { createFilm } from '#tests/support/media.ts'
import { checkProperty } from '#tests/support/property.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom(
    '\0',
    '\uD800',
    '\uDFFF x',
    '<',
    '<v',
    '\\',
    "'; --",
    '\u202E',
    'ﾊﾝｶｸ\uFF9E',
    'é̂̃'.repeat(40),
    '%_%',
    '가'.repeat(600),
  ),
  fc.constantFrom('<i>'.repeat(2_000), 'a'.repeat(100_000), '🜁'.repeat(300), 'x '.repeat(5_000)),
)
const cue = fc.record({
  startSeconds: fc.oneof(fc.integer({ min: 0, max: 86_400 }), fc.double({ min: 0, max: 86_400, noNaN: true })),
  text: hostileText,
})
const tracks = fc.array(fc.array(cue, { maxLength: 40 }), { minLength: 1, maxLength: 3 })

test('hostile captions are stored, and a sentence among them is found at its second', async () => {
  const tenant = await createTenant(api)
  const film = await createFilm(tenant, { access: 'FREE', price: null, title: 'Untitled' })
  const save = (cueLists: { startSeconds: number; text: string }[][]) =>
    tenant.within((db) =>
      saveCaptionCues(
        ...([db, tenant.id, film.video.id] as const),
        cueLists.map((cues, at) => ({
          language: ['ko', 'en', 'ja'][at]!,
          cues: cues.map((each) => ({ ...each, endSeconds: each.startSeconds + 4 })),
        })),
      ),
    )
  const search = async () => (await tenant.guest.catalog.search({ q: 'quiet harbour lantern' })).captionMatches
  const property = fc.asyncProperty(tracks, fc.integer({ min: 0, max: 86_400 }), async (cueLists, second) => {
    await save(cueLists)
    expect(await search()).toEqual([])
    const [first = [], ...rest] = cueLists
    await save([[...first, { startSeconds: second, text: '<i>A quiet</i> harbour\nlantern.' }], ...rest])
    expect(await search()).toMatchObject([{ startSeconds: second, language: 'ko', product: { id: film.id } }])
  })
  await checkProperty(property, { wanted: 60, min: 15, milliseconds: 15_000 })
})
