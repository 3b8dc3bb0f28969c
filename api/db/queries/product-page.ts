import type { TenantDb } from '#api/db/client.ts'
import { named } from '#api/db/named.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { CategoryId, CustomerId, ProductId, VideoId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import type { Translation } from '#contract/translations.ts'
import { type CardRow, cardColumns, translatedLocales, translationColumn } from './products.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What a product's own page shows besides its card. */
export interface PageRow extends CardRow {
  gallery: Picture[]
  video_id: VideoId | null
  category_ids: CategoryId[]
  seo_title: string | null
  seo_description: string | null
  /** The languages of the store its title is in. */
  locales: Locale[]
}

const pageColumns = `${cardColumns('p', '$3')}, p.gallery, p.video_id, p.category_ids, p.seo_title, p.seo_description,
  ${translatedLocales('p')} AS locales`

/** A product by either of its names, in any state; drafts are nobody's. */
export const findProductPage = async (
  db: TenantDb,
  customerId: CustomerId,
  idOrCode: string,
  language: Locale | null,
): Promise<PageRow | null> => {
  const column = uuid.test(idOrCode) ? 'id' : 'code'
  const [row] = await named<PageRow & Record<string, unknown>>(
    db,
    `product_page_by_${column}`,
    `SELECT ${pageColumns} FROM products p WHERE p.customer_id = $1 AND p.${column} = $2 AND p.status <> 'DRAFT'`,
    [customerId, idOrCode, language ?? ''],
  )
  return row ?? null
}

/** What is long of a product, and how much hangs on it. */
export const findProductParts = async (
  db: TenantDb,
  customerId: CustomerId,
  id: ProductId,
  language: Locale | null,
) => {
  const [row] = await named<{ description: string; translation: Translation | null; attachmentCount: number }>(
    db,
    'product_parts',
    `SELECT description, ${translationColumn('p', '$3')} AS translation, (SELECT count(*) FROM attachments a WHERE a.customer_id = $1 AND a.product_id = $2) AS "attachmentCount"
       FROM products p WHERE customer_id = $1 AND id = $2`,
    [customerId, id, language ?? ''],
  )
  return row ?? { description: '', translation: null, attachmentCount: 0 }
}

/** How far each lesson was watched, 0 to 1, by the lesson's id. */
export const lessonProgressOf = async (db: TenantDb, customerId: CustomerId, viewer: string, productId: ProductId) => {
  const rows = await named<{ part: string; watched: number }>(
    db,
    'lesson_progress',
    `SELECT part, CASE WHEN finished THEN 1 ELSE least(1, position_seconds / greatest(duration_seconds, 1)) END::float8 AS watched
       FROM positions WHERE customer_id = $1 AND viewer = $2 AND product_id = $3`,
    [customerId, viewer, productId],
  )
  return new Map(rows.map((row) => [row.part, row.watched]))
}
