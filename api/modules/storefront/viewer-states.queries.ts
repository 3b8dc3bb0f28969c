import { type SubjectRow, subjects } from '#api/modules/catalog/products.queries.ts'
import {
  activeEntitlements,
  entitlementOfJson,
  type HeldEntitlement,
  type HeldRights,
  planScopeColumn,
} from '#api/modules/entitlements/entitlements.queries.ts'
import {
  type MemberPlansRow,
  memberPlansColumns,
  memberPlansJoins,
  memberPlansOf,
} from '#api/modules/plans/plans.queries.ts'
import type { CartOwner } from '#api/platform/context.ts'
import { named, type TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId, ProductId } from '#contract/ids.ts'

/** What a viewer has of some products. */
export interface ViewerFacts {
  /** The products without texts and images, except drafts. */
  subjects: SubjectRow[]
  /** The rights of a member; null for a guest. */
  held: HeldRights | null
  /** Empty for a guest. */
  liked: Set<ProductId>
  inCart: Set<ProductId>
  /** The number of videos watched of each product; an unfinished one counts its fraction. */
  watched: Map<ProductId, number>
}

interface GuestRow {
  subjects: SubjectRow[] | null
  inCart: ProductId[]
  watched: ProductId[] | null
  parts: number[] | null
}

interface MemberRow extends GuestRow, MemberPlansRow {
  inScope: ProductId[] | null
  entitlements: HeldEntitlement[] | null
  liked: ProductId[]
}

const inCart = (owner: 'member_id' | 'guest_id') => `
  ARRAY(SELECT i.product_id FROM carts c JOIN cart_items i ON i.customer_id = c.customer_id AND i.cart_id = c.id
         WHERE c.customer_id = $1 AND c.${owner} = $2 AND i.product_id = ANY($4::uuid[])) AS "inCart"`

const watched = `(
  SELECT array_agg(product_id) AS watched, array_agg(parts) AS parts
    FROM (SELECT product_id,
                 sum(CASE WHEN finished THEN 1 ELSE least(1, position_seconds / greatest(duration_seconds, 1)) END)::float8 AS parts
            FROM positions WHERE customer_id = $1 AND viewer = $3 AND product_id = ANY($4::uuid[])
           GROUP BY product_id) each_one)`

const products = `(SELECT json_agg(one) FROM (${subjects('$4')}) one) AS subjects`

const ofMember = `
  SELECT ${memberPlansColumns}, ${planScopeColumn('$4')},
         (SELECT json_agg(one) FROM (${activeEntitlements({ products: '$4', now: '$5' })}) one) AS entitlements,
         ARRAY(SELECT product_id FROM likes WHERE customer_id = $1 AND member_id = $2 AND product_id = ANY($4::uuid[])) AS liked,
         ${inCart('member_id')}, w.watched, w.parts, ${products}
    FROM members m ${memberPlansJoins} CROSS JOIN ${watched} w
   WHERE m.customer_id = $1 AND m.id = $2`

const ofGuest = `SELECT ${inCart('guest_id')}, w.watched, w.parts, ${products} FROM ${watched} w`

/**
 * Reads everything that the state of some products depends on, for one viewer: the rights, the
 * likes, the cart, and the watched share of each.
 */
export const readViewerFacts = async (
  db: TenantDb,
  customerId: CustomerId,
  owner: CartOwner,
  ids: readonly ProductId[],
  now: Date,
): Promise<ViewerFacts> => {
  if ('guestId' in owner) {
    const values = [customerId, owner.guestId, owner.guestId, ids]
    const [row] = await named<GuestRow & Record<string, unknown>>(db, 'viewer_facts_of_guest', ofGuest, values)
    return { ...factsOf(row), held: null, liked: new Set() }
  }
  const values = [customerId, owner.memberId, owner.memberId, ids, now.toISOString()]
  const [row] = await named<MemberRow & Record<string, unknown>>(db, 'viewer_facts_of_member', ofMember, values)
  return {
    ...factsOf(row),
    held: {
      entitlements: (row?.entitlements ?? []).map(entitlementOfJson),
      plans: memberPlansOf(row),
      inScope: row?.inScope ?? null,
    },
    liked: new Set(row?.liked),
  }
}

const factsOf = (row: GuestRow | undefined) => {
  const parts = row?.parts ?? []
  return {
    subjects: row?.subjects ?? [],
    inCart: new Set(row?.inCart),
    watched: new Map(row?.watched?.map((productId, at) => [productId, parts[at] ?? 0])),
  }
}
