import type { Actor, Ctx, Customer } from '#api/context.ts'
import type { HeldEntitlement } from '#api/db/queries/entitlements.ts'
import { type HeldRights, heldRights } from '#api/db/queries/rights.ts'
import type { ViewerState } from '#contract/catalog.ts'
import type { ProductAccess } from '#contract/enumerations.ts'
import type { ProductId } from '#contract/ids.ts'
import { accessTable, type Standing } from './access-table.ts'
import { type PlanCoverage, planCoverage } from './plan-coverage.ts'

/** What a question of rights needs to know: less than a whole context, because media are asked for without one. */
export interface RightsCtx {
  customer: Pick<Customer, 'id' | 'settings'>
  actor: Actor
  db: Ctx['db']
  clock: Ctx['clock']
}

/**
 * A person's right to a product at this moment: the fields of the viewer's state, the entitlement it rests on, and whether the person
 * holds any, be it one that something better stands before. `suspended` is one that opens nothing while it is decided whether it is
 * sent back: it may return, so that it stands in the way of buying the same again.
 */
export interface Right extends Pick<ViewerState, 'entitled' | 'source' | 'expiresAt' | 'startBy'> {
  entitlement: HeldEntitlement | null
  held: boolean
  suspended: HeldEntitlement['source'] | null
}

type Subject = { id: ProductId; access: ProductAccess }

const noRight: Right = {
  ...{ entitled: false, source: null, expiresAt: null, startBy: null },
  ...{ entitlement: null, held: false, suspended: null },
}

/** The asking person's rights to products. */
export const rightsOf = async (ctx: RightsCtx, products: readonly Subject[]): Promise<Map<ProductId, Right>> => {
  const { actor, customer, db } = ctx
  const now = ctx.clock.now()
  const held =
    actor.kind === 'USER' && products.length > 0
      ? await heldRights(
          db,
          customer.id,
          { memberId: actor.memberId, productIds: products.map(({ id }) => id), onPlan: onPlanOf(products) },
          now,
        )
      : null
  return rightsFrom({ actor, held, useFree: customer.settings.order.useFree }, products, now)
}

/**
 * The rights to products that follow from what their person holds: the one place that decides who may watch or download. A store that
 * gives nothing away (`useFree` off) opens nothing to guests and members as such; what somebody holds already stays theirs.
 */
export const rightsFrom = (
  { actor, held, useFree }: { actor: Actor; held: HeldRights | null; useFree: boolean },
  products: readonly Subject[],
  now: Date,
): Map<ProductId, Right> => {
  const plan: PlanCoverage = held ? planCoverage(held, onPlanOf(products), now) : new Map()
  const ofProduct = Map.groupBy(held?.entitlements ?? [], (row) => row.productId as ProductId)
  return new Map(
    products.map((product) => [product.id, decide({ actor, useFree }, product, ofProduct.get(product.id) ?? [], plan)]),
  )
}

const onPlanOf = (products: readonly Subject[]) =>
  products.filter(({ access }) => opensByPlan(access)).map(({ id }) => id)

const opensByPlan = (access: ProductAccess) => accessTable[access].subscriber && !accessTable[access].member

/** The asking person's right to one product. */
export const rightOf = async (ctx: RightsCtx, product: Subject): Promise<Right> =>
  (await rightsOf(ctx, [product])).get(product.id) ?? noRight

/** The right to one product that follows from what its person holds. */
export const rightFrom = (who: Parameters<typeof rightsFrom>[0], product: Subject, now: Date): Right =>
  rightsFrom(who, [product], now).get(product.id) ?? noRight

interface Viewer {
  actor: Actor
  useFree: boolean
}

const decide = (viewer: Viewer, product: Subject, all: readonly HeldEntitlement[], plan: PlanCoverage): Right => {
  const rows = all.filter((row) => !row.suspended)
  const held = rows.length > 0
  const [best] = [...rows].sort(byWorth)
  const [waiting] = all.filter((row) => row.suspended).sort(byWorth)
  const suspended = waiting?.source ?? null
  const open = openToThem(viewer, product, plan)
  // A rental is not used up, nor begun, for what stands open anyway; what was taken for free is free as long as it is for all.
  const stillFree = best?.source === 'GRANT' && (open?.source === 'FREE' || open?.source === 'MEMBER')
  if (!best || stillFree || (best.source === 'RENT' && open)) return { ...(open ?? noRight), held, suspended }
  return {
    entitled: accessTable[product.access].buyer,
    source: best.source as Right['source'],
    expiresAt: best.expiresAt,
    startBy: best.startedAt === null ? best.startBy : null,
    entitlement: best,
    held,
    suspended,
  }
}

/** What a person may use without holding anything: what is free, free for members, or on their plan. */
const openToThem = ({ actor, useFree }: Viewer, product: Subject, plan: PlanCoverage): Right | null => {
  const allows = (standing: Standing) => accessTable[product.access][standing]
  if (useFree && allows('guest')) return { ...noRight, entitled: true, source: 'FREE' }
  if (actor.kind !== 'USER') return null
  if (useFree && allows('member')) return { ...noRight, entitled: true, source: 'MEMBER' }
  const covered = plan.get(product.id)
  if (covered && allows('subscriber')) return { ...noRight, entitled: true, source: 'PLAN', expiresAt: covered.until }
  return null
}

const worth = { OWN: 0, GRANT: 1, PLAN: 2, RENT: 3 } as const

/** For ever before for a while; of two rentals the one that has begun, then the one that ends later. */
const byWorth = (a: HeldEntitlement, b: HeldEntitlement) =>
  worth[a.source as keyof typeof worth] - worth[b.source as keyof typeof worth] ||
  Number(a.startedAt === null) - Number(b.startedAt === null) ||
  (b.expiresAt ?? '').localeCompare(a.expiresAt ?? '')
