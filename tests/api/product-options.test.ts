import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { productOptions } from '#api/modules/catalog/catalog.schema.ts'
import { cartItems } from '#api/modules/storefront/carts.schema.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { StoreProduct } from '#contract/admin/products.ts'
import type { CartItemId, OptionId, ProductCode } from '#contract/ids.ts'
import { placeOrderOf } from '#tests/support/buying.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const own = (name: string, price = 900) => ({ name, type: 'OWN' as const, days: null, price, onSale: true })
const rental = (name: string, price = 300) => ({ name, type: 'RENT' as const, days: 2, price, onSale: true })

/** An option as staff send it back, with the amounts of its prices. */
const asInput = ({ price, listPrice, priceChanges: _, ...option }: StoreProduct['options'][number]) => ({
  ...option,
  price: price.amount,
  listPrice: listPrice?.amount ?? null,
})

const arrange = async () => {
  const tenant = await createTenant(api)
  const staff = await tenant.createStaff('CATALOG')
  const { products: admin } = staff.client.admin
  const change = async (
    code: ProductCode,
    fields: Omit<Parameters<typeof admin.change>[0], 'code'>,
    version?: string,
  ): Promise<StoreProduct> =>
    staff.withVersion(version ?? (await admin.get({ code })).version).admin.products.change({ code, ...fields })
  return { tenant, staff, admin, change }
}

const namesOf = ({ options }: StoreProduct) => options.map(({ name }) => name)

const namesShown = async ({ guest }: Tenant, { id }: Pick<StoreProduct, 'id'>) =>
  (await guest.catalog.productOptions({ id })).items.map(({ name }) => name)

test('options are shown in their order, which others keep, and the history names the places', async () => {
  const { tenant, change } = await arrange()
  const { code } = await tenant.createProduct({ price: null })
  const added = await change(code, { options: [own('One'), rental('Two'), own('Three', 500)] })
  expect(namesOf(added)).toEqual(['One', 'Two', 'Three'])
  const [one, two, three] = added.options.map(asInput)
  const ordered = await change(code, {
    options: [own('New', 700), three!, one!, two!].map((option, sort) => ({ ...option, sort })),
  })
  expect(namesOf(ordered)).toEqual(['New', 'Three', 'One', 'Two'])
  expect(await namesShown(tenant, ordered)).toEqual(['New', 'Three', 'One', 'Two'])
  expect(ordered.history[0]?.changes).toMatchObject({
    'options.One.place': { from: 1, to: 3 },
    'options.New.place': { from: null, to: 1 },
  })
  // What is left out stays, and a new option is the last.
  const renamed = await change(code, { options: [{ ...two!, name: 'Two days' }, own('Last')] })
  expect(namesOf(renamed)).toEqual(['New', 'Three', 'One', 'Two days', 'Last'])
  expect(Object.keys(renamed.history[0]!.changes).filter((name) => name.startsWith('options.One'))).toEqual([])
  const early = change(code, { options: [{ ...one!, sort: 0 }] }, ordered.version)
  expect((await failureOf(early)).code).toBe('VERSION_CONFLICT')
})

test('a rental has a number of days in which it begins, which what is left out keeps', async () => {
  const { tenant, admin, change } = await arrange()
  const { code, id } = await tenant.createProduct({ price: null })
  const { options } = await change(code, { options: [rental('Two days')] })
  expect(options).toMatchObject([{ days: 2, startWithinDays: null }])
  const option = asInput(options[0]!)
  const limited = await change(code, { options: [{ ...option, startWithinDays: 30 }] })
  expect(limited.options).toMatchObject([{ startWithinDays: 30 }])
  expect(limited.history[0]?.changes).toEqual({ 'options.Two days.startWithinDays': { from: null, to: 30 } })
  expect((await tenant.guest.catalog.productOptions({ id })).items).toMatchObject([{ startWithinDays: 30 }])
  for (const startWithinDays of [0, 3651, 1.5]) {
    const refused = await failureOf(change(code, { options: [{ ...option, startWithinDays }] }))
    expect([refused.status, Object.keys(refused.problem.errors)]).toEqual([422, ['options.0.startWithinDays']])
  }
  const { startWithinDays: _, ...rest } = option
  expect((await change(code, { options: [{ ...rest, price: 400 }] })).options).toMatchObject([{ startWithinDays: 30 }])
  // So does a discount, and its end.
  const discount = { percent: 50, from: null, until: null }
  const { items } = await admin.changeMany({ codes: [code], discount })
  await admin.restoreMany({ items: items.map(({ before }) => before!) })
  expect((await admin.get({ code })).options).toMatchObject([{ startWithinDays: 30, price: { amount: 400 } }])
  const bought = await change(code, { options: [{ ...option, type: 'OWN', startWithinDays: 30 }] })
  expect(bought.options).toMatchObject([{ type: 'OWN', days: null, startWithinDays: null }])
})

test('an option that nobody used is removed with its scheduled prices, and its price no longer counts', async () => {
  const { tenant, admin, change } = await arrange()
  const { code } = await tenant.createProduct({ price: null })
  const at = new Date(api.clock.now().getTime() + 3_600_000).toISOString()
  const added = await change(code, {
    options: [{ ...rental('Mistake', 100), priceChanges: [{ at, price: 200, listPrice: null }] }, own('Own')],
  })
  expect(added.price?.amount).toBe(100)
  const [mistake] = added.options
  const removed = await change(code, { title: 'Tide', removeOptionIds: [mistake!.id] })
  expect(removed).toMatchObject({ title: 'Tide', price: { amount: 900 } })
  expect(namesOf(removed)).toEqual(['Own'])
  // One change, one entry.
  expect(removed.history).toHaveLength(2)
  expect(removed.history[0]?.changes).toMatchObject({
    title: { from: expect.any(String), to: 'Tide' },
    'options.Mistake.price': { from: { amount: 100 }, to: null },
    'options.Own.place': { from: 2, to: 1 },
  })
  // Who saw it is told, and it is not removed again.
  const late = change(code, { removeOptionIds: [mistake!.id] }, added.version)
  expect((await failureOf(late)).code).toBe('VERSION_CONFLICT')
  const again = await failureOf(change(code, { removeOptionIds: [mistake!.id] }))
  expect(again.problem.errors).toEqual({ 'removeOptionIds.0': ['This product doesn’t have this option.'] })
  // The last one too: nobody can buy the product then.
  const { price, options } = await change(code, { removeOptionIds: removed.options.map(({ id }) => id) })
  expect([price, options]).toEqual([null, []])
  expect((await admin.get({ code })).options).toEqual([])
})

test('an option that was ordered, or that is in a cart, is not removed, and nothing else is changed', async () => {
  const { tenant, admin, change } = await arrange()
  const member = await tenant.createMember()
  const product = await tenant.createProduct({ title: 'Tide', price: 1000 })
  const { code, id, optionId } = product
  const { options } = await change(code, { options: [own('In cart'), own('Unused')] })
  const [, inCart, unused] = options
  await placeOrderOf(api, tenant, member, product)
  await member.client.orders.addToCart({ productId: id, optionId: inCart!.id, quantity: 1 })
  const { version } = await admin.get({ code })
  const foreign = newId<OptionId>()
  const removal = change(code, { title: 'Ebb', removeOptionIds: [unused!.id, optionId!, inCart!.id, foreign] })
  const refused = await failureOf(removal)
  expect(refused).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' })
  expect(refused.problem.errors).toEqual({
    'removeOptionIds.1': ['It was ordered. Untick “On sale” instead.'],
    'removeOptionIds.2': ['It is in a cart. Untick “On sale” instead.'],
    'removeOptionIds.3': ['This product doesn’t have this option.'],
  })
  expect(await admin.get({ code })).toMatchObject({ version, title: 'Tide' })
  // What else is refused keeps the option as well.
  const invalid = change(code, { removeOptionIds: [unused!.id], options: [{ ...rental('Rental'), days: null }] })
  expect(Object.keys((await failureOf(invalid)).problem.errors)).toEqual(['options.0.days'])
  expect(namesOf(await admin.get({ code }))).toContain('Unused')
  expect(namesOf(await change(code, { removeOptionIds: [unused!.id] }))).not.toContain('Unused')
})

test('options are removed by whoever may write products, from their own product', async () => {
  const { tenant, admin, change } = await arrange()
  const [one, other] = await tenant.createProducts([{}, {}])
  const analyst = await tenant.createStaff('ANALYST')
  const { version } = await admin.get({ code: one!.code })
  const removal = { code: one!.code, removeOptionIds: [one!.optionId!] }
  expect((await failureOf(analyst.withVersion(version).admin.products.change(removal))).status).toBe(403)
  const foreign = await failureOf(change(one!.code, { removeOptionIds: [other!.optionId!] }))
  expect(Object.keys(foreign.problem.errors)).toEqual(['removeOptionIds.0'])
  expect((await admin.get({ code: other!.code })).options).toHaveLength(1)
})

test('an option that is put into a cart at the same time is waited for, and stays', async () => {
  const { tenant, change } = await arrange()
  const member = await tenant.createMember()
  const [film, other] = await tenant.createProducts([{ price: 1000 }, { price: 1000 }])
  await member.client.orders.addToCart({ productId: other!.id, optionId: other!.optionId! })
  const [written, allowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const adding = tenant.within(async (db) => {
    const [line] = await db.select().from(cartItems)
    await db
      .insert(cartItems)
      .values({ ...line!, id: newId<CartItemId>(), productId: film!.id, optionId: film!.optionId! })
    written.resolve()
    await allowed.promise
  })
  await written.promise
  let isDone = false
  const removing = failureOf(change(film!.code, { removeOptionIds: [film!.optionId!] })).finally(() => {
    isDone = true
  })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(isDone).toBe(false)
  allowed.resolve()
  await adding
  expect((await removing).problem.errors).toEqual({
    'removeOptionIds.0': ['It is in a cart. Untick “On sale” instead.'],
  })
  const left = await tenant.within((db) => db.$count(productOptions, eq(productOptions.id, film!.optionId!)))
  expect(left).toBe(1)
})

test('a discount of a product whose option was removed meanwhile is not undone', async () => {
  const { tenant, admin, change } = await arrange()
  const { code, optionId } = await tenant.createProduct({ price: 1000 })
  const discount = { percent: 10, from: null, until: null }
  const { items } = await admin.changeMany({ codes: [code], discount })
  await change(code, { removeOptionIds: [optionId!] })
  const restored = await admin.restoreMany({ items: items.map(({ before }) => before!) })
  expect(restored.items).toMatchObject([{ result: 'FAILED', reason: 'VERSION_CONFLICT' }])
  expect((await admin.get({ code })).options).toEqual([])
})
