import type { PlannedPage } from '#api/modules/content/content.schema.ts'
import type { Values } from '#api/modules/import-export/tables/cell-formats.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { BannerLink } from '#contract/content.ts'
import type { BannerType } from '#contract/enumerations.ts'
import type { BannerId, CategoryId, CustomerId, FaqId, NoticeId, PlanId, ProductId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import type { Translations } from '#contract/translations.ts'
import { deleteRows, quotedName } from './import-export.queries.ts'

/** The rows of the small tables, with the database's column names. */
export type SmallTableRows = {
  categories: {
    customer_id: CustomerId
    id: CategoryId
    parent_id: CategoryId | null
    name: string
    slug: string
    sort: number
    translations: Translations
  }
  plans: Values & {
    id: PlanId
    code: string
    price_amount: number
    category_ids: CategoryId[]
  }
  banners: {
    customer_id: CustomerId
    id: BannerId
    type: BannerType
    title: string
    text: string
    label: string | null
    image_desktop: Picture | null
    image_mobile: Picture | null
    tone: 'LIGHT' | 'DARK'
    link: BannerLink | null
    html: string | null
    translations: Translations
    starts_at: string | null
    ends_at: string | null
    sort: number
  }
  notices: {
    customer_id: CustomerId
    id: NoticeId
    title: string
    body: string
    pinned: boolean
    is_draft: boolean
    attachments: { name: string; bytes: number; url: string }[]
    starts_at: string | null
    ends_at: string | null
    translations: Translations
    created_at: string
  }
  faq: {
    customer_id: CustomerId
    id: FaqId
    group: string
    question: string
    answer: string
    is_draft: boolean
    translations: Translations
    starts_at: string | null
    ends_at: string | null
    sort: number
  }
  pages: {
    customer_id: CustomerId
    type: string
    title: string
    body: string
    translations: Translations
    planned: PlannedPage | null
    is_draft: boolean
    starts_at: string | null
    ends_at: string | null
    sort: number
    updated_at: string
  }
}

/** Returns all rows of a small table in a stable order. */
export const readWhole = async <Table extends keyof SmallTableRows>(
  db: TenantDb,
  customerId: CustomerId,
  table: Table,
): Promise<SmallTableRows[Table][]> => {
  const order = {
    categories: 'level, sort, name COLLATE "C", id',
    plans: 'sort, code COLLATE "C"',
    banners: 'sort, id',
    notices: 'created_at, id',
    faq: 'sort, id',
    pages: 'sort, type COLLATE "C"',
  }[table]
  const listed =
    table === 'plans'
      ? `, (SELECT coalesce(array_agg(p.code ORDER BY p.code COLLATE "C"), '{}') FROM plan_products l
             JOIN products p ON p.customer_id = $1 AND p.id = l.product_id
            WHERE l.customer_id = $1 AND l.plan_id = plans.id) AS products`
      : ''
  const { rows } = await db.$client.query<SmallTableRows[Table]>(
    `SELECT *${listed} FROM ${quotedName(table)} WHERE customer_id = $1 ORDER BY ${order}`,
    [customerId],
  )
  return rows
}

/**
 * Removes categories from products and plans, before the categories are deleted. The order of the
 * others stays.
 */
export const removeProductsFromCategories = async (
  db: TenantDb,
  customerId: CustomerId,
  ids: readonly CategoryId[],
): Promise<void> => {
  for (const table of ['products', 'plans'])
    await db.$client.query(
      `UPDATE ${table} SET category_ids = (SELECT coalesce(array_agg(id ORDER BY place), '{}')
                                             FROM unnest(category_ids) WITH ORDINALITY AS stored (id, place) WHERE id <> ALL($2::uuid[]))
        WHERE customer_id = $1 AND category_ids && $2::uuid[]`,
      [customerId, ids],
    )
}

/** Replaces the product lists of plans. */
export const listProducts = async (
  db: TenantDb,
  customerId: CustomerId,
  listed: readonly { planId: PlanId; productIds: readonly ProductId[] }[],
): Promise<void> => {
  await deleteRows(
    db,
    customerId,
    'plan_products',
    listed.map(({ planId }) => planId),
    'plan_id',
  )
  await db.$client.query(
    `INSERT INTO plan_products (customer_id, plan_id, product_id)
     SELECT c.customer_id, listed.plan_id, listed.product_id
       FROM customers c CROSS JOIN unnest($2::uuid[], $3::uuid[]) AS listed (plan_id, product_id)
      WHERE c.customer_id = $1`,
    [
      customerId,
      listed.flatMap(({ planId, productIds }) => productIds.map(() => planId)),
      listed.flatMap(({ productIds }) => productIds),
    ],
  )
}
