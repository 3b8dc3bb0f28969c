import { and, eq, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { KeysetPosition } from '#api/platform/keyset.ts'
import type { ProductAccess, ProductKind, ProductStatus, SaleState } from '#contract/enumerations.ts'
import type { CustomerId, ProductCode, ProductId } from '#contract/ids.ts'
import { productOptions, products } from './catalog.schema.ts'
import { isReady } from './products.queries.ts'

export interface ProductPageRow {
  keyset: KeysetPosition
  id: ProductId
  code: ProductCode
  title: string
  kind: ProductKind
  access: ProductAccess
  status: ProductStatus
  state: SaleState
  saleFrom: string | null
  saleTo: string | null
  priceAmount: number | null
  currency: string
  ready: boolean
  poster: string
  createdAt: string
}

interface ProductPageFilter {
  state: SaleState | null
  /** Decides what is on sale. */
  now: Date
  /** The start of a code, or a part of a title, in lower case. */
  search: string
  after: KeysetPosition | null
  size: number
}

/** SQL: a product's status at a time, with its sale period. `now` is a placeholder. */
const saleStateAt = (now: string) => `CASE WHEN p.status <> 'ON_SALE' THEN p.status
  WHEN p.sale_to <= ${now} THEN 'ENDED' WHEN p.sale_from > ${now} THEN 'SCHEDULED' ELSE 'ON_SALE' END`

/** One more product than the page has, in any state, latest first. */
export const readProductPage = async (db: TenantDb, customerId: CustomerId, filter: ProductPageFilter) => {
  const { state, now, search, after, size } = filter
  const { rows } = await db.$client.query<ProductPageRow>(
    `SELECT jsonb_build_object('at', p.created_at::text, 'id', p.id) AS keyset, p.id, p.code, p.title, p.kind, p.access,
            p.status, ${saleStateAt('$7::timestamptz')} AS state, p.sale_from AS "saleFrom", p.sale_to AS "saleTo", p.price_amount AS "priceAmount", p.currency, ${isReady('p')} AS ready,
            coalesce(p.poster #>> '{sources,0,url}', p.poster ->> 'url') AS poster, p.created_at AS "createdAt"
       FROM products p
      WHERE p.customer_id = $1 AND ($2::text IS NULL OR ${saleStateAt('$7::timestamptz')} = $2)
        AND ($3 = '' OR starts_with(lower(p.code), $3) OR strpos(lower(p.title), $3) > 0)
        AND ($4::timestamptz IS NULL OR (p.created_at, p.id) < ($4::timestamptz, $5::uuid))
      ORDER BY p.created_at DESC, p.id DESC LIMIT $6`,
    [customerId, state, search, after?.at ?? null, after?.id ?? null, size + 1, now.toISOString()],
  )
  return rows
}

/** Returns the id of the inserted product; null if another one has its code. */
export const insertProduct = async (db: TenantDb, product: typeof products.$inferInsert): Promise<ProductId | null> => {
  const [row] = await db.insert(products).values(product).onConflictDoNothing().returning({ id: products.id })
  return row?.id ?? null
}

/** Changes fields of a product. `deriveProducts` updates what follows from them. */
export const updateProduct = async (
  db: TenantDb,
  customerId: CustomerId,
  id: ProductId,
  fields: Partial<typeof products.$inferInsert>,
) => {
  await db
    .update(products)
    .set(fields)
    .where(and(eq(products.customerId, customerId), eq(products.id, id)))
}

/** Inserts options, or replaces what operators write of those that exist. */
export const saveOptions = async (db: TenantDb, rows: (typeof productOptions.$inferInsert)[]) => {
  if (rows.length === 0) return
  await db
    .insert(productOptions)
    .values(rows)
    .onConflictDoUpdate({
      target: [productOptions.customerId, productOptions.id],
      set: {
        name: sql`excluded.name`,
        type: sql`excluded.type`,
        days: sql`excluded.days`,
        startWithinDays: sql`excluded.start_within_days`,
        priceAmount: sql`excluded.price_amount`,
        onSale: sql`excluded.on_sale`,
      },
    })
}
