import type { Actor, Ctx, Customer } from '#api/context.ts'
import { type EntitlementRow, liveEntitlements } from '#api/db/queries/entitlements.ts'
import type { ViewerState } from '#contract/catalog.ts'
import type { ProductAccess } from '#contract/enumerations.ts'
import type { ProductId } from '#contract/ids.ts'
import { accessTable, type Standing } from './access-table.ts'
import { type PlanCoverage, planCoverage } from './plan-coverage.ts'

/** What a question of rights needs to know: less than a whole context, because media are asked for without one. */
export interface RightsCtx {
  customer: Pick<Customer, 'id'>
  actor: Actor
  db: Ctx['db']
  clock: Ctx['clock']
}

/** A person's right to a product at this moment: the fields of the viewer's state, and the entitlement it rests on. */
export interface Right extends Pick<ViewerState, 'entitled' | 'source' | 'expiresAt' | 'startBy'> {
  entitlement: EntitlementRow | null
}

type Subject = { id: ProductId; access: ProductAccess }

const noRight: Right = { entitled: false, source: null, expiresAt: null, startBy: null, entitlement: null }

/** The asking person's rights to products: the one place that decides who may watch or download. */
export const rightsOf = async (ctx: RightsCtx, products: readonly Subject[]): Promise<Map<ProductId, Right>> => {
  const held = new Map<ProductId, EntitlementRow[]>()
  const { actor } = ctx
  if (actor.kind === 'USER' && products.length > 0) {
    const ids = products.map((product) => product.id)
    const rows = await liveEntitlements(ctx.db, ctx.customer.id, actor.memberId, ids, ctx.clock.now())
    for (const row of rows) {
      const id = row.productId as ProductId
      held.set(id, [...(held.get(id) ?? []), row])
    }
  }
  const onPlan = products.some(
    (product) => accessTable[product.access].subscriber && !accessTable[product.access].member,
  )
  const plan = onPlan ? await planCoverage(ctx) : { covers: false, until: null }
  return new Map(products.map((product) => [product.id, decide(actor, product, held.get(product.id) ?? [], plan)]))
}

/** The asking person's right to one product. */
export const rightOf = async (ctx: RightsCtx, product: Subject): Promise<Right> =>
  (await rightsOf(ctx, [product])).get(product.id) ?? noRight

const decide = (actor: Actor, product: Subject, held: readonly EntitlementRow[], plan: PlanCoverage): Right => {
  const allows = (standing: Standing) => accessTable[product.access][standing]
  const best = [...held].sort(byWorth)[0]
  if (best) {
    return {
      entitled: allows('buyer'),
      source: best.source as Right['source'],
      expiresAt: best.expiresAt,
      startBy: best.startedAt === null ? best.startBy : null,
      entitlement: best,
    }
  }
  if (allows('guest')) return { ...noRight, entitled: true, source: 'FREE' }
  if (actor.kind !== 'USER') return noRight
  if (allows('member')) return { ...noRight, entitled: true, source: 'MEMBER' }
  if (plan.covers && allows('subscriber')) return { ...noRight, entitled: true, source: 'PLAN', expiresAt: plan.until }
  return noRight
}

const worth = { OWN: 0, GRANT: 1, PLAN: 2, RENT: 3 } as const

/** For ever before for a while; of two rentals the one that has begun, then the one that ends later. */
const byWorth = (a: EntitlementRow, b: EntitlementRow) =>
  worth[a.source as keyof typeof worth] - worth[b.source as keyof typeof worth] ||
  Number(a.startedAt === null) - Number(b.startedAt === null) ||
  (b.expiresAt ?? '').localeCompare(a.expiresAt ?? '')
