import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { attachments, lessons, productOptions, products, videos } from '#api/modules/catalog/catalog.schema.ts'
import { newId } from '#api/platform/db/columns.ts'
import { type LessonId, type OptionId, type ProductCode, productCode } from '#contract/ids.ts'
import { addAttachment, addLesson, addRental, createFilm } from '#tests/support/media.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const hour = 3_600_000

const picture = (alt: string) => ({
  url: `/media/${alt}.webp`,
  width: 9,
  height: 9,
  alt,
  color: '#123456',
  sources: [],
})

const arrange = async () => {
  const settings = plainSettings()
  settings.base.locales = ['en', 'ko', 'ja']
  const tenant = await createTenant(api, { settings })
  const staff = await tenant.createStaff('CATALOG')
  const { products: admin } = staff.client.admin
  const copyOf = (code: ProductCode, newCode = `${code}-copy`) =>
    admin.duplicate({ code, newCode: productCode.parse(newCode), title: 'Copy' })
  return { tenant, staff, admin, copyOf }
}

/** The rows of a product and its parts, as they are stored. */
const rowsOf = (tenant: Tenant, code: ProductCode) =>
  tenant.within(async (db) => {
    const [product] = await db.select().from(products).where(eq(products.code, code))
    const id = product!.id
    return {
      product: product!,
      options: await db
        .select()
        .from(productOptions)
        .where(eq(productOptions.productId, id))
        .orderBy(productOptions.sort),
      lessons: await db.select().from(lessons).where(eq(lessons.productId, id)).orderBy(lessons.sort),
      files: await db.select().from(attachments).where(eq(attachments.productId, id)).orderBy(attachments.sort),
    }
  })

/** A course with a trailer, three lessons, two files and two options, all of it translated. */
const createCourse = async ({ tenant, staff, admin }: Awaited<ReturnType<typeof arrange>>) => {
  const drama = await tenant.createCategory('Drama')
  const short = await tenant.createCategory('Short', drama)
  const film = await createFilm(tenant, { code: 'original', title: 'Original', tags: ['sea'], price: 700 })
  const { code, id } = film
  await addRental(tenant, id, 2, 30)
  const [one, two] = [await addLesson(tenant, id, 2, false), await addLesson(tenant, id, 1, true)]
  const waiting = newId<LessonId>()
  const translations = { ko: { title: '첫 수업', summary: '요약', chapters: ['시작'] } }
  const chapters = [{ startSeconds: 0, title: 'Beginning' }]
  const fileTexts = { ko: { name: '지도.pdf', confirmation_text: '동의합니다' } }
  const map = await addAttachment(tenant, id, 'Map.pdf', 'downloads/map.pdf')
  await addAttachment(tenant, id, 'Notes.pdf', 'downloads/notes.pdf')
  await tenant.within(async (db) => {
    const ofProduct = { customerId: tenant.id, productId: id }
    await db.insert(lessons).values({ ...ofProduct, id: waiting, sort: 3, title: 'Not yet filmed' })
    await db.update(lessons).set({ summary: 'In short', translations }).where(eq(lessons.id, one.id))
    await db.update(videos).set({ chapters, name: 'Reel' }).where(eq(videos.id, one.video.id))
    const file = { confirmationText: 'I agree', sort: 2, translations: fileTexts }
    await db.update(attachments).set(file).where(eq(attachments.id, map))
    const pictures = { posterTall: picture('Original'), gallery: [picture('Original 1'), picture('A ship')] }
    const figures = { countOfViews: 7, countOfPlays: 6, countOfLikes: 5, countOfComments: 4 }
    await db
      .update(products)
      .set({ ...pictures, ...figures })
      .where(eq(products.id, id))
  })
  const { version, options } = await admin.get({ code })
  const at = new Date(api.clock.now().getTime() + hour).toISOString()
  await staff.withVersion(version).admin.products.change({
    code,
    summary: 'A short text',
    description: '<p>A long text</p>',
    ageRating: '15',
    sort: 12,
    access: 'PURCHASE_OR_PLAN',
    categoryIds: [short.id],
    saleFrom: '2020-01-01T00:00:00.000Z',
    saleTo: '2199-01-01T00:00:00.000Z',
    posterAlt: 'A harbour',
    seoTitle: 'Found',
    seoDescription: 'Found more',
    translations: { ko: { title: '원본', summary: '짧은 글', posterAlt: '항구', tags: ['바다'] } },
    options: options.map(({ price, listPrice: _, ...option }) => ({
      ...option,
      price: price.amount,
      listPrice: 900,
      priceChanges: [{ at, price: 900, listPrice: null }],
      translations: { ko: { name: '소장' } },
    })),
  })
  return { code, drama, short, video: film.video, lessons: [two, one] }
}

test('a duplicate is a draft with all fields, options, videos, lessons and files of the product', async () => {
  const store = await arrange()
  const { tenant, staff, admin, copyOf } = store
  const { code, drama, short, video, lessons: shown } = await createCourse(store)
  const before = await rowsOf(tenant, code)
  const copy = await copyOf(code)
  expect(copy).toMatchObject({
    code: 'original-copy',
    status: 'DRAFT',
    ready: true,
    categoryIds: [short.id],
    lessonCount: 2,
    durationSeconds: 200,
    videoId: video.id,
    history: [{ actor: `staff:${staff.email}`, action: 'product.duplicated', changes: { copyOf: { to: 'original' } } }],
  })
  const after = await rowsOf(tenant, copy.code)
  expect(await rowsOf(tenant, code)).toEqual(before)

  const own = { code: 'original-copy', title: 'Copy', status: 'DRAFT', saleFrom: null, saleTo: null }
  const counts = { countOfViews: 0, countOfPlays: 0, countOfLikes: 0, countOfComments: 0, countedAt: null }
  const derived = {
    searchText: expect.stringContaining('original-copy'),
    titleSort: 'copy',
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  }
  expect(after.product).toEqual({
    ...before.product,
    ...own,
    ...counts,
    ...derived,
    id: expect.any(String),
    // What the title described is described by the new one; other texts stay.
    posterTall: { ...before.product.posterTall, alt: 'A harbour' },
    gallery: [{ ...picture('Original 1'), alt: 'Copy 1' }, picture('A ship')],
  })
  expect(after.product).toMatchObject({
    ageRating: '15',
    sort: 12,
    seoTitle: 'Found',
    categoryIds: [drama.id, short.id],
  })

  const other = { id: expect.any(String), productId: after.product.id }
  expect(after.options).toEqual(before.options.map((option) => ({ ...option, ...other })))
  expect(after.options[0]).toMatchObject({ listPriceAmount: 900, translations: { ko: { name: '소장' } } })
  expect(after.options[0]?.priceChanges).toHaveLength(1)
  expect(after.lessons).toEqual(before.lessons.map((lesson) => ({ ...lesson, ...other })))
  expect(after.lessons.map(({ videoId }) => videoId)).toEqual([...shown.map((lesson) => lesson.video.id), null])
  expect(after.lessons[1]).toMatchObject({ summary: 'In short', translations: { ko: { chapters: ['시작'] } } })
  expect(after.files).toEqual(before.files.map((file) => ({ ...file, ...other })))
  expect(after.files[1]).toMatchObject({ confirmationText: 'I agree', asset: 'downloads/map.pdf' })
  const idsOf = ({ options, lessons, files }: typeof after) => [...options, ...lessons, ...files].map(({ id }) => id)
  expect(new Set([...idsOf(before), ...idsOf(after)]).size).toBe(14)

  // The console shows the video once, with both that show it.
  const { videoId } = (await admin.parts({ code: copy.code })).lessons[1]!
  const library = await staff.client.admin.videos.get({ id: videoId! })
  expect(library.shownBy.map(({ productCode }) => productCode).sort()).toEqual(['original', 'original-copy'])
  expect(library.chapters).toEqual([{ startSeconds: 0, title: 'Beginning', translations: { ko: '시작' } }])
})

test('a deleted duplicate leaves the videos and files of the original, and the other way round', async () => {
  const store = await arrange()
  const { tenant, staff, admin, copyOf } = store
  const { code, video, lessons: shown } = await createCourse(store)
  const ids = [video.id, ...shown.map((lesson) => lesson.video.id)]
  const retired = async () => {
    const rows = await tenant.within((db) => db.select().from(videos))
    return ids.filter((id) => rows.find((row) => row.id === id)?.retiredAt !== null)
  }
  const remove = async (removed: ProductCode) => {
    const { version } = await admin.get({ code: removed })
    await staff.withVersion(version).admin.products.delete({ code: removed })
  }
  const [copy, another] = [await copyOf(code), await copyOf(code, 'another')]
  await remove(copy.code)
  expect(await retired()).toEqual([])
  await admin.changeMany({ codes: [code], status: 'DRAFT' })
  await remove(code)
  expect(await retired()).toEqual([])
  const { lessons: left, attachments: files } = await admin.parts({ code: another.code })
  expect([left.length, files.length]).toEqual([3, 2])
  await remove(another.code)
  expect((await retired()).toSorted()).toEqual(ids.toSorted())
})

test('a duplicate has the prices of now, and those that are still to come', async () => {
  const { tenant, copyOf } = await arrange()
  const { code } = await tenant.createProduct({ code: 'discounted', price: 1000 })
  const at = (hours: number) => new Date(api.clock.now().getTime() + hours * hour).toISOString()
  const [passed, next] = [at(-1), at(1)]
  const [option] = (await rowsOf(tenant, code)).options
  const id: OptionId = option!.id
  const priceChanges = [
    { at: passed, priceAmount: 800, listPriceAmount: 1000 },
    { at: next, priceAmount: 1000, listPriceAmount: null },
  ]
  await tenant.within((db) =>
    db.update(productOptions).set({ priceChanges, nextPriceAt: passed }).where(eq(productOptions.id, id)),
  )
  const copy = await copyOf(code)
  expect(copy.options).toMatchObject([{ price: { amount: 800 }, listPrice: { amount: 1000 } }])
  const { options } = await rowsOf(tenant, copy.code)
  expect(options).toMatchObject([{ priceChanges: priceChanges.slice(1) }])
  expect(Date.parse(options[0]!.nextPriceAt!)).toBe(Date.parse(next))
})

test('the code of a duplicate must be free, and nothing is left of one that is refused', async () => {
  const store = await arrange()
  const { tenant, copyOf } = store
  const { code } = await createCourse(store)
  const countParts = () => tenant.within(async (db) => [await db.$count(lessons), await db.$count(attachments)])
  const before = await countParts()
  expect(await failureOf(copyOf(code, 'original'))).toMatchObject({
    code: 'CONFLICT',
    problem: { errors: { newCode: ['Another product has this code.'] } },
  })
  expect(await failureOf(copyOf(productCode.parse('nothing')))).toMatchObject({ status: 404 })
  expect(await countParts()).toEqual(before)
})
