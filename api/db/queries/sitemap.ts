import type { TenantDb } from '#api/db/client.ts'
import type { CustomerId, ProductCode } from '#contract/ids.ts'
import { isFreeOfCharge, isReady, translatedLocales } from './products.ts'

interface OnSaleRow {
  code: ProductCode
  created_at: string
  title: string
  summary: string
  poster: string
  /** The languages its title is translated into. */
  locales: string[]
  /** Of the product's own video. */
  preview: string | null
  seconds: number | null
}

interface OfTenant {
  customerId: CustomerId
  now: Date
}

const onSale = `p.customer_id = $1 AND p.status = 'ON_SALE' AND (p.sale_from IS NULL OR p.sale_from <= $2)
  AND (p.sale_to IS NULL OR p.sale_to > $2)
  AND ${isReady('p')} AND ((SELECT (settings->'order'->>'useFree')::boolean FROM customers WHERE customer_id = $1) OR NOT ${isFreeOfCharge('p')})`

export const countOnSale = async (db: TenantDb, { customerId, now }: OfTenant): Promise<number> => {
  const { rows } = await db.$client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM products p WHERE ${onSale}`,
    [customerId, now],
  )
  return rows[0]?.count ?? 0
}

/** In the order of making, so that what is new changes the last page alone. */
export const productsOnSale = async (
  db: TenantDb,
  { customerId, now }: OfTenant,
  { limit, offset }: { limit: number; offset: number },
): Promise<OnSaleRow[]> => {
  const { rows } = await db.$client.query<OnSaleRow>(
    `SELECT p.code, p.created_at, p.title, p.summary, p.poster->>'url' AS poster,
            ${translatedLocales('p')} AS locales, v.preview_asset AS preview, v.duration_seconds AS seconds
       FROM products p LEFT JOIN videos v ON v.customer_id = $1 AND v.id = p.video_id
      WHERE ${onSale} ORDER BY p.created_at, p.id LIMIT $3 OFFSET $4`,
    [customerId, now, limit, offset],
  )
  return rows
}
