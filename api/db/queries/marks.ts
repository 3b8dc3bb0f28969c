import type { TenantDb } from '#api/db/client.ts'
import { named } from '#api/db/named.ts'
import type { CustomerId, ProductId } from '#contract/ids.ts'
import type { CartOwner } from './carts.ts'

/** What a person has left on some products. */
export interface Marks {
  liked: Set<ProductId>
  inCart: Set<ProductId>
  /** How many videos' worth of a product was watched: a finished part counts one, another its fraction. */
  watched: Map<ProductId, number>
}

interface Row {
  liked: ProductId[]
  inCart: ProductId[]
  watched: ProductId[] | null
  parts: number[] | null
}

const statementFor = (column: 'member_id' | 'guest_id') => `
  SELECT ${column === 'member_id' ? 'ARRAY(SELECT product_id FROM likes WHERE customer_id = $1 AND member_id = $2 AND product_id = ANY($4::uuid[]))' : 'ARRAY[]::uuid[]'} AS liked,
         ARRAY(SELECT i.product_id FROM carts c JOIN cart_items i ON i.customer_id = c.customer_id AND i.cart_id = c.id
                WHERE c.customer_id = $1 AND c.${column} = $2 AND i.product_id = ANY($4::uuid[])) AS "inCart",
         w.watched, w.parts
    FROM (SELECT array_agg(product_id) AS watched, array_agg(parts) AS parts
            FROM (SELECT product_id,
                         sum(CASE WHEN finished THEN 1 ELSE least(1, position_seconds / greatest(duration_seconds, 1)) END)::float8 AS parts
                    FROM positions WHERE customer_id = $1 AND viewer = $3 AND product_id = ANY($4::uuid[])
                   GROUP BY product_id) each_one) w`
const ofMember = statementFor('member_id')
const ofGuest = statementFor('guest_id')

/** A member's likes, or a guest's none; what of the products lies in their cart; and how far each was watched. */
export const readMarks = async (
  db: TenantDb,
  customerId: CustomerId,
  owner: CartOwner,
  ids: readonly ProductId[],
): Promise<Marks> => {
  const [name, text, id] =
    'memberId' in owner
      ? (['marks_of_member', ofMember, owner.memberId] as const)
      : (['marks_of_guest', ofGuest, owner.guestId] as const)
  const [row] = await named<Row & Record<string, unknown>>(db, name, text, [customerId, id, id, ids])
  const parts = row?.parts ?? []
  return {
    liked: new Set(row?.liked),
    inCart: new Set(row?.inCart),
    watched: new Map(row?.watched?.map((productId, at) => [productId, parts[at] ?? 0])),
  }
}
