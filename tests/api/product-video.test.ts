import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { videos } from '#api/modules/catalog/catalog.schema.ts'
import { videoJobs } from '#api/modules/media/media.schema.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { ProductCode, VideoId, VideoJobId } from '#contract/ids.ts'
import { placeOrderOf } from '#tests/support/buying.ts'
import { addAttachment, addLesson, createFilm } from '#tests/support/media.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async () => {
  const tenant = await createTenant(api)
  const staff = await tenant.createStaff('CATALOG')
  const { products: admin } = staff.client.admin
  const setStatus = (code: ProductCode, status: 'ON_SALE' | 'HIDDEN') => admin.changeMany({ codes: [code], status })
  const reasonOf = async (code: ProductCode) => {
    const refused = await failureOf(admin.removeVideo({ code }))
    expect(refused).toMatchObject({ status: 409, code: 'CONFLICT' })
    return refused.problem.errors.code
  }
  return { tenant, staff, admin, setStatus, reasonOf }
}

test('the video of a hidden product is removed, with what is being encoded for it, and its lessons stay', async () => {
  const { tenant, staff, admin } = await arrange()
  const film = await createFilm(tenant, { status: 'HIDDEN' })
  const { code } = film
  const lesson = await addLesson(tenant, film.id, 1, false)
  const job = (lessonId: typeof lesson.id | null) => ({
    customerId: tenant.id,
    id: newId<VideoJobId>(),
    productId: film.id,
    lessonId,
    videoId: newId<VideoId>(),
    sourceKey: 'film.mp4',
    sourceName: 'film.mp4',
    sourceBytes: 1,
    options: { captions: [], audio: [], chapters: [] },
    actor: 'staff:someone',
  })
  const [own, ofLesson] = [job(null), job(lesson.id)]
  await tenant.within((db) => db.insert(videoJobs).values([own, ofLesson]))
  await admin.removeVideo({ code })
  expect(await admin.get({ code })).toMatchObject({ videoId: null, ready: true, lessonCount: 1, durationSeconds: 100 })
  const jobs = await tenant.within((db) => db.select().from(videoJobs))
  const statusOf = (id: VideoJobId) => jobs.find((each) => each.id === id)?.status
  expect([statusOf(own.id), statusOf(ofLesson.id)]).toEqual(['CANCELLED', 'QUEUED'])
  // Nobody watches it to the end: it closes at once.
  const [retired] = await tenant.within((db) => db.select().from(videos).where(eq(videos.id, film.video.id)))
  expect(retired).toMatchObject({ retiredAt: expect.any(String), retiredFrom: null })
  const { history } = await admin.get({ code })
  expect(history[0]).toMatchObject({
    actor: `staff:${staff.email}`,
    action: 'video.removed',
    changes: { video: { from: film.video.id, to: null } },
  })
  expect(await failureOf(admin.removeVideo({ code }))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})

test('a video without which visitors or buyers would have nothing stays, and says why', async () => {
  const { tenant, admin, setStatus, reasonOf } = await arrange()
  const { token } = await tenant.createStaff('SUPPORT')
  const support = api.client(tenant.code, { token, idempotencyKey: 'grant' })
  const member = await tenant.createMember()
  const film = (title: string) => createFilm(tenant, { title, price: 1000 })
  const [sold, granted, unsold] = [await film('Sold'), await film('Granted'), await film('Unsold')]
  const onSale = ['It is on sale, and there would be nothing to watch or download. End its sale, or hide it first.']
  for (const { code } of [sold, granted, unsold]) expect(await reasonOf(code)).toEqual(onSale)
  await placeOrderOf(api, tenant, member, sold)
  await support.admin.members.grantTitle({ id: member.id, productCode: granted.code, reason: 'A gift' })
  for (const { code } of [sold, granted, unsold]) await setStatus(code, 'HIDDEN')
  expect(await reasonOf(sold.code)).toEqual([
    'It was ordered, and buyers would have nothing to watch or download. Replace it instead.',
  ])
  expect(await reasonOf(granted.code)).toEqual([
    'Members have a right to it, and would have nothing to watch or download. Replace it instead.',
  ])
  expect(await admin.get({ code: sold.code })).toMatchObject({ videoId: sold.video.id })
  await admin.removeVideo({ code: unsold.code })
  expect(await admin.get({ code: unsold.code })).toMatchObject({ videoId: null, ready: false })
})

test('a sale that begins later keeps the video, and one that has ended does not', async () => {
  const { tenant, staff, admin, reasonOf } = await arrange()
  const { code } = await createFilm(tenant)
  const change = async (saleFrom: string | null, saleTo: string | null) => {
    const { version } = await admin.get({ code })
    await staff.withVersion(version).admin.products.change({ code, saleFrom, saleTo })
  }
  const inMinutes = (minutes: number) => new Date(api.clock.now().getTime() + minutes * 60_000).toISOString()
  await change(inMinutes(10), null)
  expect(await reasonOf(code)).toHaveLength(1)
  await change(null, inMinutes(-10))
  await admin.removeVideo({ code })
  expect((await admin.get({ code })).videoId).toBeNull()
})

test('a product on sale that was ordered loses its video where a lesson or a file is left', async () => {
  const { tenant, admin } = await arrange()
  const member = await tenant.createMember()
  const [course, book] = [await createFilm(tenant, { price: 1000 }), await createFilm(tenant, { price: 1000 })]
  await addLesson(tenant, course.id, 1, false)
  await addAttachment(tenant, book.id, 'book.pdf', 'attachments/book.pdf')
  for (const film of [course, book]) {
    await placeOrderOf(api, tenant, member, film)
    await admin.removeVideo({ code: film.code })
    expect(await admin.get({ code: film.code })).toMatchObject({ videoId: null, ready: true, status: 'ON_SALE' })
  }
})

test('the lessons and files without which visitors or buyers would have nothing stay, and say why', async () => {
  const { tenant, staff, admin, setStatus } = await arrange()
  const member = await tenant.createMember()
  const empty = { file: false, price: 1000 }
  const [course, book] = [await tenant.createProduct(empty), await tenant.createProduct(empty)]
  await addLesson(tenant, course.id, 1, false)
  await addAttachment(tenant, book.id, 'book.pdf', 'attachments/book.pdf')
  const remove = async ({ code }: { code: ProductCode }, part: 'lessons' | 'attachments') => {
    const { version } = await admin.parts({ code })
    return staff.withVersion(version).admin.products.changeParts({ code, [part]: [] })
  }
  const reasonOf = async (product: { code: ProductCode }, part: 'lessons' | 'attachments') => {
    const refused = await failureOf(remove(product, part))
    expect(refused).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' })
    return refused.problem.errors[part]
  }
  const onSale = ['It is on sale, and there would be nothing to watch or download. End its sale, or hide it first.']
  expect(await reasonOf(course, 'lessons')).toEqual(onSale)
  expect(await reasonOf(book, 'attachments')).toEqual(onSale)
  await placeOrderOf(api, tenant, member, course)
  for (const { code } of [course, book]) await setStatus(code, 'HIDDEN')
  expect(await reasonOf(course, 'lessons')).toEqual([
    'It was ordered, and buyers would have nothing to watch or download. Replace it instead.',
  ])
  expect((await remove(book, 'attachments')).attachments).toEqual([])
  // A file in place of the lesson is enough.
  await addAttachment(tenant, course.id, 'course.pdf', 'attachments/course.pdf')
  expect((await remove(course, 'lessons')).lessons).toEqual([])
})

test('a removed video that another product shows plays on there', async () => {
  const { tenant, staff, admin } = await arrange()
  const film = await createFilm(tenant, { status: 'HIDDEN' })
  const other = await tenant.createProduct({ access: 'FREE' })
  await staff.client.admin.videos.use({ id: film.video.id, product: other.code })
  await admin.removeVideo({ code: film.code })
  const [video] = await tenant.within((db) => db.select().from(videos).where(eq(videos.id, film.video.id)))
  expect(video).toMatchObject({ retiredAt: null })
  expect((await admin.get({ code: other.code })).videoId).toBe(film.video.id)
})

test('a video is removed by whoever may write videos', async () => {
  const { tenant } = await arrange()
  const { code } = await createFilm(tenant, { status: 'HIDDEN' })
  for (const role of ['ANALYST', 'SUPPORT'] as const) {
    const { client } = await tenant.createStaff(role)
    expect((await failureOf(client.admin.products.removeVideo({ code }))).status).toBe(403)
  }
})
