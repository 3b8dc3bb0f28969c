import { desc } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { audit } from '#api/platform/db/platform.schema.ts'
import { folderOf, quickCommandOf } from '#tests/support/command.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const run = quickCommandOf(api)
const latestEntry = async (tenant: Tenant) =>
  (await tenant.within((db) => db.select().from(audit).orderBy(desc(audit.at), desc(audit.id)).limit(1)))[0]

const createStore = async () => {
  const tenant = await createTenant(api)
  const folder = async (price: string, title: string) =>
    folderOf({
      'products.csv': `code,title,kind,access,status\nK100,${title},PAY,PURCHASE,DRAFT\n`,
      'options.csv': `product,name,type,price\nK100,Own it,OWN,${price}\n`,
    })
  const importProduct = async (price: string, title: string, ...more: string[]) =>
    run(['catalog', 'import', await folder(price, title), '-c', tenant.code, '--by', 'Jo', ...more])
  return { tenant, importProduct }
}

test('a dry run of an import shows each changed value, old and new, and saves nothing', async () => {
  const { tenant, importProduct } = await createStore()
  expect(await importProduct('12.50', 'Tide')).toMatchObject({ code: 0 })
  const dry = await importProduct('9', 'Low tide', '--dry-run')
  expect(dry.out).toContain('options, K100 / Own it, price: 12.50 → 9.00')
  expect(dry.out).toContain('products, K100, title: Tide → Low tide')
  expect(dry.out).toContain('Dry run: no changes were saved.')
  const again = await importProduct('12.50', 'Tide', '--dry-run')
  expect(again.out).not.toContain('→')
  expect((await latestEntry(tenant))?.detail).toMatchObject({ changes: [] })
})

test('the audit of an import contains each changed value, old and new', async () => {
  const { tenant, importProduct } = await createStore()
  await importProduct('12.50', 'Tide')
  await importProduct('9', 'Tide')
  expect(await latestEntry(tenant)).toMatchObject({
    actor: 'admin:Jo',
    action: 'catalog.imported',
    detail: {
      changes: [{ table: 'options', key: 'K100 / Own it', column: 'price', from: '12.50', to: '9.00' }],
      unlistedChanges: 0,
    },
  })
})

test('an import that changes thousands of values lists the first and counts the rest', async () => {
  const { tenant } = await createStore()
  const rows = (summary: string) =>
    `code,title,kind,access,status,summary\n${Array.from({ length: 700 }, (_, at) => `P${at},Title ${at},PAY,PURCHASE,DRAFT,${summary}`).join('\n')}\n`
  const importProduct = async (summary: string) =>
    run(['catalog', 'import', await folderOf({ 'products.csv': rows(summary) }), '-c', tenant.code])
  await importProduct('Before')
  const { out } = await importProduct('After')
  expect(out).toContain('… and 600 more changed values.')
  const detail = (await latestEntry(tenant))?.detail as { changes: unknown[]; unlistedChanges: number }
  expect(detail.changes).toHaveLength(500)
  expect(detail.unlistedChanges).toBe(200)
})

test('the audit of a changed setting contains the value before and after', async () => {
  const { tenant } = await createStore()
  const { out } = await run(['settings', 'set', 'order.refundDays', '14', '-c', tenant.code])
  expect(out).toContain('order.refundDays: 7 → 14')
  expect(await latestEntry(tenant)).toMatchObject({
    action: 'settings.changed',
    changes: { 'order.refundDays': { from: 7, to: 14 } },
  })
})
