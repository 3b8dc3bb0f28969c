import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { attachments, lessons, products, videos } from '#api/modules/catalog/catalog.schema.ts'
import { deleteProductRow } from '#api/modules/catalog/edit-products.queries.ts'
import { banners } from '#api/modules/content/content.schema.ts'
import { viewedProducts } from '#api/modules/engagement/engagement.schema.ts'
import { videoJobs } from '#api/modules/media/media.schema.ts'
import { cartItems } from '#api/modules/storefront/carts.schema.ts'
import { dayAt } from '#api/platform/clock.ts'
import { newId } from '#api/platform/db/columns.ts'
import { type BannerId, type CartItemId, productCode, type ViewerId } from '#contract/ids.ts'
import { placeOrderOf } from '#tests/support/buying.ts'
import { addLesson, createFilm } from '#tests/support/media.ts'
import { createPlan } from '#tests/support/plans.ts'
import { createTenant, type Tenant, type TestProduct } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async () => {
  const tenant = await createTenant(api)
  const staff = await tenant.createStaff('CATALOG')
  const { products: admin } = staff.client.admin
  const remove = async ({ code }: { code: TestProduct['code'] }) => {
    const { version } = await admin.get({ code })
    return staff.withVersion(version).admin.products.delete({ code })
  }
  const setStatus = (code: TestProduct['code'], status: 'DRAFT' | 'ON_SALE') =>
    admin.changeMany({ codes: [code], status })
  return { tenant, staff, admin, remove, setStatus }
}

const isThere = async (tenant: Tenant, { id }: TestProduct) =>
  tenant.within(async (db) => (await db.$count(products, eq(products.id, id))) > 0)

test('a draft is deleted with its prices, lessons, files, views and likes, and its videos are retired', async () => {
  const { tenant, staff, admin, remove, setStatus } = await arrange()
  const film = await createFilm(tenant, { title: 'Tide', access: 'PURCHASE_OR_PLAN' })
  const lesson = await addLesson(tenant, film.id, 1, false)
  await admin.addAttachment({ code: film.code, file: new File(['%PDF-1.4'], 'map.pdf') })
  await createPlan(tenant, { productIds: [film.id] })
  const member = await tenant.createMember()
  await member.client.engagement.like({ id: film.id, liked: true })
  await tenant.within((db) =>
    db.insert(viewedProducts).values({ customerId: tenant.id, viewer: 'guest' as ViewerId, productId: film.id }),
  )
  await setStatus(film.code, 'DRAFT')
  await remove(film)
  expect((await failureOf(admin.get({ code: film.code }))).status).toBe(404)
  const left = await tenant.within(async (db) => [
    await db.$count(lessons, eq(lessons.productId, film.id)),
    await db.$count(attachments, eq(attachments.productId, film.id)),
  ])
  expect(left).toEqual([0, 0])
  const retired = await tenant.within((db) => db.select().from(videos))
  expect(retired.map(({ id }) => id).sort()).toEqual([film.video.id, lesson.video.id].sort())
  expect(retired.every(({ retiredAt }) => retiredAt !== null)).toBe(true)
  const owner = await tenant.createStaff('OWNER')
  const { items } = await owner.client.admin.audit({ subject: `product:${film.code}` })
  expect(items[0]).toMatchObject({
    actor: `staff:${staff.email}`,
    action: 'product.deleted',
    changes: { title: { from: 'Tide', to: null }, status: { from: 'DRAFT', to: null } },
  })
  // The code is free again.
  await admin.create({ code: film.code, title: 'Another tide', kind: 'VOD' })
})

test('a video that another product shows is kept', async () => {
  const { tenant, remove } = await arrange()
  const film = await createFilm(tenant, { status: 'DRAFT' })
  const other = await tenant.createProduct()
  await tenant.within((db) => db.update(products).set({ videoId: film.video.id }).where(eq(products.id, other.id)))
  await remove(film)
  const [video] = await tenant.within((db) => db.select().from(videos).where(eq(videos.id, film.video.id)))
  expect(video).toMatchObject({ retiredAt: null })
})

test('what was sold, granted, put into a cart, watched, written about or linked is not deleted, and says why', async () => {
  const { tenant, admin, remove, setStatus } = await arrange()
  const { token } = await tenant.createStaff('SUPPORT')
  const support = api.client(tenant.code, { token, idempotencyKey: 'grant' })
  const member = await tenant.createMember()
  const film = (title: string) => createFilm(tenant, { title, price: 1000 })
  const [ordered, granted, inCart, watched, discussed, linked, encoding, onSale] = await Promise.all(
    ['Ordered', 'Granted', 'In cart', 'Watched', 'Discussed', 'Linked', 'Encoding', 'On sale'].map(film),
  )
  await placeOrderOf(api, tenant, member, ordered!)
  await support.admin.members.grantTitle({ id: member.id, productCode: granted!.code, reason: 'A gift' })
  await member.client.orders.addToCart({ productId: inCart!.id, optionId: inCart!.optionId! })
  await tenant.within((db) => db.update(products).set({ access: 'FREE' }).where(eq(products.id, watched!.id)))
  const at = api.clock.now().toISOString()
  await member.client.playback.progress({ id: watched!.id, positionSeconds: 20, playedSeconds: 20, at })
  await member.client.engagement.addComment({ id: discussed!.id, body: 'Lovely' })
  await tenant.within(async (db) => {
    await db.insert(banners).values({
      customerId: tenant.id,
      id: newId<BannerId>(),
      type: 'BANNER',
      title: 'Linked',
      link: { target: 'PRODUCT', productCode: linked!.code },
    })
    await db.insert(videoJobs).values({
      customerId: tenant.id,
      id: newId(),
      productId: encoding!.id,
      videoId: newId(),
      sourceKey: 'film.mp4',
      sourceName: 'film.mp4',
      sourceBytes: 1,
      options: { captions: [], audio: [], chapters: [] },
      actor: 'staff:someone',
    })
  })
  const all = [ordered, granted, inCart, watched, discussed, linked, encoding, onSale].map((each) => each!)
  for (const { code } of all) if (code !== onSale!.code) await setStatus(code, 'DRAFT')
  const codes = [...all.map(({ code }) => code), productCode.parse('no-such')]
  const { items } = await admin.deleteMany({ codes })
  expect(items.map(({ code, result, reason }) => [code, result, reason])).toEqual(
    ['ORDERED', 'GRANTED', 'IN_CART', 'WATCHED', 'DISCUSSED', 'LINKED', 'ENCODING', 'NOT_DRAFT', 'NOT_FOUND'].map(
      (reason, place) => [codes[place], 'FAILED', reason],
    ),
  )
  expect(items[0]!.message).toBe('It was ordered. End its sale, or hide it.')
  expect((await failureOf(remove(ordered!))).problem.errors).toEqual({
    code: ['It was ordered. End its sale, or hide it.'],
  })
  expect(await failureOf(remove(onSale!))).toMatchObject({ status: 409, code: 'CONFLICT' })
  for (const product of all) expect(await isThere(tenant, product), product.code).toBe(true)
})

test('a product that was sold or granted does not become a draft again', async () => {
  const { tenant, staff, admin, setStatus } = await arrange()
  const { token } = await tenant.createStaff('SUPPORT')
  const support = api.client(tenant.code, { token, idempotencyKey: 'grant' })
  const member = await tenant.createMember()
  const film = (title: string) => createFilm(tenant, { title, price: 1000 })
  const [sold, granted, unsold] = [await film('Sold'), await film('Granted'), await film('Unsold')]
  await placeOrderOf(api, tenant, member, sold)
  await support.admin.members.grantTitle({ id: member.id, productCode: granted.code, reason: 'A gift' })
  const change = async (code: TestProduct['code']) => {
    const { version } = await admin.get({ code })
    return staff.withVersion(version).admin.products.change({ code, status: 'DRAFT' })
  }
  expect((await failureOf(change(sold.code))).problem.errors).toEqual({
    status: ['It was ordered. End its sale, or hide it.'],
  })
  expect((await failureOf(change(granted.code))).problem.errors).toEqual({
    status: ['Members have a right to it. End its sale, or hide it.'],
  })
  expect((await setStatus(sold.code, 'DRAFT')).items).toMatchObject([{ result: 'FAILED' }])
  expect(await admin.get({ code: sold.code })).toMatchObject({ status: 'ON_SALE' })
  expect(await change(unsold.code)).toMatchObject({ status: 'DRAFT' })
})

test('several drafts are deleted by whoever may write products, as they were seen', async () => {
  const { tenant, staff, admin } = await arrange()
  const drafts = await tenant.createProducts([{ status: 'DRAFT' }, { status: 'DRAFT' }, { status: 'DRAFT' }])
  const codes = drafts.map(({ code }) => code)
  const analyst = (await tenant.createStaff('ANALYST')).client.admin.products
  expect((await failureOf(analyst.deleteMany({ codes }))).status).toBe(403)
  expect((await failureOf(analyst.delete({ code: codes[0]! }))).status).toBe(403)
  expect((await failureOf(admin.delete({ code: codes[0]! }))).code).toBe('VERSION_MISSING')
  const { version } = await admin.get({ code: codes[0]! })
  await staff.withVersion(version).admin.products.change({ code: codes[0]!, title: 'Renamed' })
  const late = staff.withVersion(version).admin.products.delete({ code: codes[0]! })
  expect((await failureOf(late)).code).toBe('VERSION_CONFLICT')
  const { items } = await admin.deleteMany({ codes })
  expect(items.map(({ result }) => result)).toEqual(['DELETED', 'DELETED', 'DELETED'])
  expect((await admin.list({})).items).toEqual([])
})

test('what is put into a cart at the same time is waited for, and kept', async () => {
  const { tenant, admin, setStatus } = await arrange()
  const film = await tenant.createProduct({ price: 1000 })
  const member = await tenant.createMember()
  const other = await tenant.createProduct({ price: 1000 })
  await member.client.orders.addToCart({ productId: other.id, optionId: other.optionId! })
  await setStatus(film.code, 'DRAFT')
  const [written, allowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const adding = tenant.within(async (db) => {
    const [line] = await db.select().from(cartItems)
    await db
      .insert(cartItems)
      .values({ ...line!, id: newId<CartItemId>(), productId: film.id, optionId: film.optionId! })
    written.resolve()
    await allowed.promise
  })
  await written.promise
  let isDone = false
  const deleting = admin.deleteMany({ codes: [film.code] }).finally(() => {
    isDone = true
  })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(isDone).toBe(false)
  allowed.resolve()
  await adding
  expect((await deleting).items).toMatchObject([{ result: 'FAILED', reason: 'IN_CART' }])
})

test('of an order and a deletion at the same time one is done, and nothing is lost', async () => {
  const { tenant, admin, setStatus } = await arrange()
  const members = await Promise.all([tenant.createMember(), tenant.createMember()])
  for (let round = 0; round < 8; round++) {
    const film = await tenant.createProduct({ price: 1000 })
    const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 15))
    const [deleted, ...orders] = await Promise.all([
      setStatus(film.code, 'DRAFT').then(() => admin.deleteMany({ codes: [film.code] })),
      ...members.map(async (member) => {
        await pause()
        return placeOrderOf(api, tenant, member, film).then(
          () => 'ORDERED' as const,
          async (error) => (await failureOf(Promise.reject(error))).status,
        )
      }),
    ])
    const isOrdered = orders.includes('ORDERED')
    expect(deleted.items).toMatchObject([
      isOrdered ? { result: 'FAILED', reason: 'ORDERED' } : { result: 'DELETED', reason: null },
    ])
    expect(await isThere(tenant, film)).toBe(isOrdered)
    for (const answer of orders) expect(['ORDERED', 404, 410]).toContain(answer)
  }
})

test('what refers to a product that is deleted in the same instant is not found, and is no error', async () => {
  const { tenant, staff } = await arrange()
  const owner = await tenant.createStaff('OWNER')
  const member = await tenant.createMember()
  const { id: planId } = await createPlan(tenant, {})
  const { version } = await staff.client.admin.plans.get({ id: planId })
  const keyed = () => api.client(tenant.code, { token: owner.token, idempotencyKey: crypto.randomUUID() }).admin
  const sold = ({ code }: TestProduct) => ({ memberId: member.id, productCodes: [code], reason: 'A prize' })
  const day = dayAt(api.clock.now(), tenant.settings.base.timeZone)
  const plan = { id: planId, scope: 'PRODUCTS' } as const
  const calls: Record<string, [(film: TestProduct) => Promise<unknown>, during: number, after: number]> = {
    granted: [
      ({ code }) => keyed().members.grantTitle({ id: member.id, productCode: code, reason: 'A prize' }),
      404,
      422,
    ],
    given: [(film) => keyed().orders.createComplimentary(sold(film)), 422, 422],
    recorded: [(film) => keyed().orders.createPaid({ ...sold(film), amount: 9, reference: film.code, day }), 422, 422],
    planned: [({ code }) => staff.withVersion(version).admin.plans.change({ ...plan, productCodes: [code] }), 422, 422],
    liked: [({ id }) => member.client.engagement.like({ id, liked: true }), 404, 404],
    inCart: [({ id, optionId }) => member.client.orders.addToCart({ productId: id, optionId: optionId! }), 404, 404],
    commented: [({ id }) => member.client.engagement.addComment({ id, body: 'Lovely' }), 404, 404],
    viewed: [({ id }) => member.client.catalog.product({ id, view: true }), 404, 404],
  }
  const statusOf = (call: Promise<unknown>) =>
    call.then(
      () => 200,
      async (error) => (await failureOf(Promise.reject(error))).status,
    )
  for (const [name, [call, during, after]] of Object.entries(calls)) {
    const film = await tenant.createProduct({ price: 1000 })
    const [deleted, allowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const deletion = tenant.within(async (db) => {
      await deleteProductRow(db, tenant.id, film.id)
      deleted.resolve()
      await allowed.promise
    })
    await deleted.promise
    const status = statusOf(call(film))
    await new Promise((resolve) => setTimeout(resolve, 300))
    allowed.resolve()
    await deletion
    expect([name, await status, await statusOf(call(film))]).toEqual([name, during, after])
  }
})
