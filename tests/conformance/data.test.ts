import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type CaseType, cases } from '#api/modules/billing/billing.schema.ts'
import { banners } from '#api/modules/content/content.schema.ts'
import { members } from '#api/modules/identity/identity.schema.ts'
import type { Actor } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import {
  bannerType,
  type CaseStatus,
  displayType,
  orderStatus,
  paymentMethod,
  productKind,
  refundStep,
} from '#contract/enumerations.ts'
import type { BannerId } from '#contract/ids.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

/** The settings as the API answers them, once one part of them was set. */
const settingsAfter = async (change: (settings: ReturnType<typeof plainSettings>) => void) => {
  const settings = plainSettings()
  change(settings)
  return (await createTenant(api, { settings })).guest.tenancy.siteSettings()
}

test('§1 A storefront for paid, free and VOD products (kinds PAY, FREE, VOD)', async () => {
  const tenant = await createTenant(api)
  const kinds = ['PAY', 'FREE', 'VOD'] as const
  for (const kind of kinds) await tenant.createProduct({ kind })
  for (const kind of kinds) {
    const { items, total } = await tenant.guest.catalog.search({ kind: [kind] })
    expect([total, items[0]?.kind]).toEqual([1, kind])
  }
})

test('§3 Customer contract status: useCustomer (boolean)', async () => {
  for (const useCustomer of [true, false])
    expect(await (await createTenant(api, { useCustomer })).guest.tenancy.contract()).toMatchObject({ useCustomer })
})

test('§3 Customer contract status: useSite (boolean)', async () => {
  for (const useSite of [true, false])
    expect(await (await createTenant(api, { useSite })).guest.tenancy.contract()).toMatchObject({ useSite })
})

test('§3 Site settings: order.useFree, order.usePayment, order.useSubscribe, order.useInquiry', async () => {
  const order = { useFree: false, usePayment: false, useSubscribe: true, useInquiry: false }
  expect((await settingsAfter((settings) => Object.assign(settings.order, order))).order).toMatchObject(order)
})

test('§3 Site settings: operation.useLogin', async () => {
  for (const useLogin of [true, false]) {
    const answer = await settingsAfter((settings) => Object.assign(settings.operation, { useLogin }))
    expect(answer.operation.useLogin).toBe(useLogin)
  }
})

test('§3 Site settings: seo.title, seo.description, seo.publicUrl, seo.use', async () => {
  const seo = { title: 'A title', description: 'A description', publicUrl: 'https://store.example', use: false }
  expect((await settingsAfter((settings) => Object.assign(settings.seo, seo))).seo).toMatchObject(seo)
})

test('§3 Site settings: base.name, base.faviconPublicUrl', async () => {
  const base = { name: 'A name', faviconPublicUrl: '/media/brand/a/favicon.svg' }
  expect((await settingsAfter((settings) => Object.assign(settings.base, base))).base).toMatchObject(base)
})

test('§3 User: usePlan.partnership', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const partnership = async (hours: number) => {
    const until = new Date(Date.now() + hours * 3_600_000).toISOString()
    await tenant.within((db) => db.update(members).set({ partnershipUntil: until }).where(eq(members.id, member.id)))
    return (await member.client.identity.me()).usePlan.partnership
  }
  expect((await member.client.identity.me()).usePlan.partnership).toBe(false)
  expect([await partnership(1), await partnership(-1)]).toEqual([true, false])
})

test('§3 Category: id, parentId, level', async () => {
  const tenant = await createTenant(api)
  const films = await tenant.createCategory('Films')
  const short = await tenant.createCategory('Short', films)
  const { items } = await tenant.guest.catalog.categories()
  expect(items.map(({ id, parentId, level }) => ({ id, parentId, level }))).toEqual([
    { id: films.id, parentId: null, level: 1 },
    { id: short.id, parentId: films.id, level: 2 },
  ])
})

test('§3 Order/payment statuses: PAYMENT_COMPLETE, PAYMENT_FAIL, DEPOSIT_WAITING, CANCEL_REQUEST, CANCEL_COMPLETE', () => {
  expect(orderStatus.options).toEqual([
    ...['PAYMENT_COMPLETE', 'PAYMENT_FAIL', 'DEPOSIT_WAITING', 'CANCEL_REQUEST', 'CANCEL_COMPLETE'],
  ])
})

test('§3 Other status-like values: PENDING, ACCEPT, REFUND', () => {
  expect(refundStep.options).toEqual(['PENDING', 'ACCEPT', 'REFUND'])
})

test('§3 Display types: TEXT, LOGO, LOGO_TEXT', async () => {
  expect(displayType.options).toEqual(['TEXT', 'LOGO', 'LOGO_TEXT'])
  for (const type of displayType.options) {
    const answer = await settingsAfter((settings) => Object.assign(settings.base, { displayType: type }))
    expect(answer.base.displayType).toBe(type)
  }
})

test('§3 Payment methods: CARD, BANK', () => {
  expect(paymentMethod.options).toEqual(['CARD', 'BANK'])
})

test('§3 Process types: WAIT, COMPLETE, INQUIRY, WITHDRAWAL, ORDER_CANCEL, CUSTOM', async () => {
  const tenant = await createTenant(api)
  const open = (type: CaseType, status: CaseStatus) =>
    tenant.within((db) =>
      db.insert(cases).values({ customerId: tenant.id, id: newId(), type, status, subject: `${type} ${status}` }),
    )
  const types = ['INQUIRY', 'WITHDRAWAL', 'ORDER_CANCEL', 'CUSTOM'] as const
  for (const type of types) for (const status of ['WAIT', 'COMPLETE'] as const) await open(type, status)
  await expect(open('REFUND' as CaseType, 'WAIT')).rejects.toThrow()
  await expect(open('CUSTOM', 'CLOSED' as CaseStatus)).rejects.toThrow()
  const stored = await tenant.within((db) => db.select().from(cases).where(eq(cases.customerId, tenant.id)))
  expect(new Set(stored.map(({ type, status }) => `${type} ${status}`)).size).toBe(8)
})

test('§3 Product kinds: PAY, FREE, VOD', () => {
  expect(productKind.options).toEqual(['PAY', 'FREE', 'VOD'])
})

test('§3 Banner types: HEADER_BANNER, MAIN_SLIDER_BANNER, BANNER, CUSTOM, GRID, NONE', async () => {
  const types = ['HEADER_BANNER', 'MAIN_SLIDER_BANNER', 'BANNER', 'CUSTOM', 'GRID', 'NONE'] as const
  expect(bannerType.options).toEqual(types)
  const tenant = await createTenant(api)
  const rows = types.map((type, sort) => ({ customerId: tenant.id, id: newId<BannerId>(), type, title: type, sort }))
  await tenant.within((db) => db.insert(banners).values(rows))
  expect((await tenant.guest.content.banners()).items.map(({ type }) => type)).toEqual(types)
})

test('§3 Link targets: CATEGORY, PRODUCT, PLAN', async () => {
  const tenant = await createTenant(api)
  const category = await tenant.createCategory('Films')
  const product = await tenant.createProduct()
  const links = [
    { target: 'CATEGORY', categoryId: category.id },
    { target: 'PRODUCT', productCode: product.code },
    { target: 'PLAN', planCode: 'all-you-can-watch' },
  ] as const
  const rows = links.map((link, sort) => ({
    customerId: tenant.id,
    id: newId(),
    type: 'BANNER',
    title: 'B',
    sort,
    link,
  }))
  await tenant.within((db) => db.insert(banners).values(rows as never))
  expect((await tenant.guest.content.banners()).items.map(({ link }) => link)).toEqual(links)
})

test('§3 User kinds: GUEST, USER', async () => {
  // Checked by the compiler: no third kind may appear, and none of the two may go.
  const callsOf = { GUEST: 'guest', USER: 'member' } satisfies Record<Actor['kind'], string>
  expect(Object.keys(callsOf)).toEqual(['GUEST', 'USER'])
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  expect((await member.client.catalog.search({})).total).toBe(0)
  expect((await tenant.guest.catalog.search({})).total).toBe(0)
})
