import { beforeAll, expect, test } from 'vitest'
import { largestGallery } from '#contract/admin/product-pictures.ts'
import { productCode } from '#contract/ids.ts'
import { largestPicture } from '#contract/picture.ts'
import { smallPicture } from '#tests/support/media.ts'
import { createTenant, type Tenant, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
let tenant: Tenant
let staff: TestStaff

beforeAll(async () => {
  tenant = await createTenant(api)
  staff = await tenant.createStaff('CATALOG')
})

const products = () => staff.client.admin.products
const withVersion = (version: string) => staff.withVersion(version).admin.products
const wrongFile = () => new File(['no picture'], 'picture.png', { type: 'image/png' })

test('a poster and an upright one are uploaded, shown to visitors and removed', async () => {
  const { code, id } = await tenant.createProduct({ title: 'Tide' })
  const stored = await products().get({ code })
  const pictured = await products().setPicture({ code, place: 'poster', file: await smallPicture(800) })
  expect(pictured.poster).toMatchObject({ width: 800, color: '#335577' })
  await products().setPicture({ code, place: 'tall', file: await smallPicture(400) })
  const shown = await tenant.guest.catalog.product({ id, view: false })
  expect(shown.poster).toMatchObject({ width: 800, sources: [{ width: 320 }, { width: 640 }, { width: 800 }] })
  const { items } = await tenant.guest.catalog.search({})
  expect(items.find((item) => item.code === code)?.posterTall).toMatchObject({ width: 400 })
  // What is typed beside it can still be saved.
  const saved = await withVersion(stored.version).change({ code, title: 'High tide' })
  expect(saved.poster).toBe(pictured.poster?.url)
  const retitled = await products().pictures({ code })
  expect([retitled.poster?.alt, retitled.tall?.alt]).toEqual(['High tide', 'High tide'])
  expect(saved.history.map(({ changes }) => Object.keys(changes))).toEqual([['title'], ['posterTall'], ['poster']])

  const svg = new File(['<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>'], 'picture.svg')
  for (const file of [wrongFile(), svg]) {
    const refused = await failureOf(products().setPicture({ code, place: 'poster', file }))
    expect(refused).toMatchObject({ status: 422, problem: { errors: { file: [expect.stringContaining('JPEG')] } } })
  }
  const large = new File([new Uint8Array(largestPicture + 1)], 'picture.png', { type: 'image/png' })
  expect((await failureOf(products().setPicture({ code, place: 'poster', file: large }))).status).toBe(422)
  const bare = await products().removePicture({ code, place: 'tall' })
  expect(bare).toMatchObject({ poster: { width: 800 }, tall: null })
  expect(await products().removePicture({ code, place: 'poster' })).toMatchObject({ poster: null })
  expect((await products().get({ code })).poster).toMatch(/\/plain-/)
})

test('pictures of a page are added, ordered and removed, as the person saw them', async () => {
  const { code, id } = await tenant.createProduct({ title: 'Ebb' })
  const [first, second] = [await smallPicture(50), await smallPicture(60)]
  const before = await products().addPicture({ code, file: first })
  const both = await products().addPicture({ code, file: second })
  expect(both.gallery.map(({ width }) => width)).toEqual([50, 60])
  const again = await failureOf(products().addPicture({ code, file: first }))
  expect(again.problem.errors).toEqual({ file: ['The product has this picture already.'] })

  const reversed = both.gallery.map(({ url }) => url).reverse()
  expect((await failureOf(products().changePictures({ code, gallery: reversed }))).code).toBe('VERSION_MISSING')
  const old = await failureOf(withVersion(before.version).changePictures({ code, gallery: reversed }))
  expect(old.code).toBe('VERSION_CONFLICT')
  const unknown = [...reversed, '/media/banners/other.webp']
  for (const gallery of [unknown, [reversed[0]!, reversed[0]!]])
    expect(await failureOf(withVersion(both.version).changePictures({ code, gallery }))).toMatchObject({
      status: 422,
      problem: { errors: { gallery: [expect.any(String)] } },
    })
  const ordered = await withVersion(both.version).changePictures({ code, gallery: reversed })
  expect(ordered.gallery.map(({ url }) => url)).toEqual(reversed)
  const shown = await tenant.guest.catalog.product({ id, view: false })
  expect(shown.gallery.map(({ width, alt }) => [width, alt])).toEqual([
    [60, 'Ebb 1'],
    [50, 'Ebb 2'],
  ])
  const { version } = await products().get({ code })
  await withVersion(version).change({ code, title: 'Low tide' })
  const retitled = await tenant.guest.catalog.product({ id, view: false })
  expect(retitled.gallery.map(({ alt }) => alt)).toEqual(['Low tide 1', 'Low tide 2'])
  const one = await withVersion(ordered.version).changePictures({ code, gallery: reversed.slice(1) })
  expect(one.gallery).toMatchObject([{ width: 50, alt: 'Low tide 1' }])
  expect((await products().get({ code })).history[0]).toMatchObject({
    action: 'product.changed',
    changes: { gallery: { from: reversed, to: reversed.slice(1) } },
  })
})

test('pictures are described in each language, keep their texts when they move, and lose them when they go', async () => {
  const { code, id } = await tenant.createProduct({ title: 'Flood' })
  for (const width of [70, 80, 90]) await products().addPicture({ code, file: await smallPicture(width) })
  const { gallery, version } = await products().pictures({ code })
  const [first, second, third] = gallery.map(({ url }) => url) as [string, string, string]
  const urls = [first, second, third]
  const texts = [
    { url: second, description: 'The pier at noon', translations: { ko: '한낮의 부두' } },
    { url: third, translations: { ko: '등대' } },
  ]
  const described = await withVersion(version).changePictures({ code, gallery: urls, texts })
  expect(described.gallery).toMatchObject([
    { description: '', alt: 'Flood 1', translations: {} },
    { description: 'The pier at noon', alt: 'The pier at noon', translations: { ko: '한낮의 부두' } },
    { description: '', alt: 'Flood 3', translations: { ko: '등대' } },
  ])
  expect((await products().get({ code })).history[0]?.changes).toEqual({
    galleryTexts: { from: [], to: ['The pier at noon', '한낮의 부두', '등대'] },
  })
  const alts = async (language: string) => {
    const reader = api.client(tenant.code, { headers: { 'accept-language': language } })
    return (await reader.catalog.product({ id, view: false })).gallery.map(({ alt }) => alt)
  }
  expect(await alts('en')).toEqual(['Flood 1', 'The pier at noon', 'Flood 3'])
  expect(await alts('ko')).toEqual(['Flood 1', '한낮의 부두', '등대'])

  const stale = withVersion(version).changePictures({ code, gallery: urls, texts })
  expect((await failureOf(stale)).code).toBe('VERSION_CONFLICT')
  const wrong = { code, gallery: [first], texts: [{ url: second, translations: { en: 'Own' } }] }
  expect(Object.keys((await failureOf(withVersion(described.version).changePictures(wrong))).problem.errors)).toEqual([
    'texts',
    'translations',
  ])

  const moved = await withVersion(described.version).changePictures({ code, gallery: [third, second, first] })
  expect(await alts('ko')).toEqual(['등대', '한낮의 부두', 'Flood 3'])
  const { version: current } = await products().get({ code })
  await withVersion(current).change({ code, title: 'Spring tide' })
  expect(await alts('en')).toEqual(['Spring tide 1', 'The pier at noon', 'Spring tide 3'])
  const copy = await products().duplicate({ code, newCode: productCode.parse(`${code}-copy`), title: 'Copy' })
  expect((await products().pictures({ code: copy.code })).gallery.map(({ alt }) => alt)).toEqual([
    'Copy 1',
    'The pier at noon',
    'Copy 3',
  ])
  const cleared = { url: second, description: '', translations: { ko: null } }
  const last = await withVersion(moved.version).changePictures({ code, gallery: [second], texts: [cleared] })
  expect(last.gallery).toMatchObject([{ description: '', alt: 'Spring tide 1', translations: {} }])
})

test('a page has at most thirty pictures, and two that are added at once are both kept', async () => {
  const { code } = await tenant.createProduct()
  const files = await Promise.all(Array.from({ length: largestGallery }, (_, at) => smallPicture(20 + at)))
  await Promise.all(files.map((file) => products().addPicture({ code, file })))
  const { gallery } = await products().pictures({ code })
  expect(new Set(gallery.map(({ width }) => width)).size).toBe(largestGallery)
  const refused = await failureOf(products().addPicture({ code, file: await smallPicture(100) }))
  expect(refused.problem.errors).toEqual({ file: ['Remove a picture first: there are at most 30.'] })
  const copy = await products().duplicate({ code, newCode: productCode.parse(`${code}-copy`), title: 'Copy' })
  expect((await products().pictures({ code: copy.code })).gallery).toHaveLength(largestGallery)
})
