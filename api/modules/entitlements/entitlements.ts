import type { ProductRow } from '#api/modules/catalog/playables.queries.ts'
import type { MemberPlans } from '#api/modules/plans/plans.queries.ts'
import { isOpen, knownEnd } from '#api/modules/plans/plans.ts'
import type { Actor, Ctx, Customer, MemberCtx } from '#api/platform/context.ts'
import { emit } from '#api/platform/events.ts'
import type { ViewerState } from '#contract/catalog.ts'
import type { ProductAccess } from '#contract/enumerations.ts'
import type { ProductId } from '#contract/ids.ts'
import {
  beginEntitlement,
  type HeldEntitlement,
  type HeldRights,
  heldRights,
  insertFulfillment,
  insertGrant,
} from './entitlements.queries.ts'

/** What stands behind a right: anyone's, a member's, a bought one, a plan's. */
export type Standing = 'guest' | 'member' | 'buyer' | 'subscriber'

/** Who may watch or download a product, by its access. Everyone else gets the preview and the way to obtain it. */
export const accessTable = {
  FREE: { guest: true, member: true, buyer: true, subscriber: true },
  MEMBER: { guest: false, member: true, buyer: true, subscriber: true },
  PURCHASE: { guest: false, member: false, buyer: true, subscriber: false },
  PLAN: { guest: false, member: false, buyer: true, subscriber: true },
  PURCHASE_OR_PLAN: { guest: false, member: false, buyer: true, subscriber: true },
} as const satisfies Record<ProductAccess, Record<Standing, boolean>>

/** What a member's plans open, of products with PLAN or PURCHASE_OR_PLAN access: each with the end known of, null where it renews. */
export type PlanCoverage = Map<ProductId, { until: string | null }>

/** Whether a partnership holds, and whether a subscription opens its plan. */
export const openPlans = (held: MemberPlans, now: Date) => ({
  partnership: held.partnershipUntil !== null && Date.parse(held.partnershipUntil) > now.getTime(),
  regular: held.subscription !== null && isOpen(held.subscription, now),
})

/**
 * Which of some products a member's plans cover at a moment. A partnership, granted by the operator, covers every product on a plan; a
 * subscription what is in its plan's scope, until its period, or the grace after a failed renewal, is over.
 */
export const planCoverage = (
  { plans, inScope }: Pick<HeldRights, 'plans' | 'inScope'>,
  ids: readonly ProductId[],
  now: Date,
): PlanCoverage => {
  const { partnership, regular } = openPlans(plans, now)
  const { plan, subscription, partnershipUntil } = plans
  const subscribed = !regular || !plan ? [] : (inScope ?? ids)
  const covered: PlanCoverage = new Map()
  if (partnership) for (const id of ids) covered.set(id, { until: partnershipUntil })
  for (const id of subscribed) {
    const until = later(covered.get(id)?.until, subscription && knownEnd(subscription))
    covered.set(id, { until })
  }
  return covered
}

/** The later of two ends; null is no end at all, undefined none known yet. */
const later = (one: string | null | undefined, other: string | null) =>
  one === undefined ? other : one === null || other === null ? null : Date.parse(one) > Date.parse(other) ? one : other

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
  entitled: false,
  source: null,
  expiresAt: null,
  startBy: null,
  entitlement: null,
  held: false,
  suspended: null,
}

/** The viewer's rights to products. */
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
  const ofProduct = Map.groupBy(held?.entitlements ?? [], (row) => row.productId)
  return new Map(
    products.map((product) => [product.id, decide({ actor, useFree }, product, ofProduct.get(product.id) ?? [], plan)]),
  )
}

const onPlanOf = (products: readonly Subject[]) =>
  products.filter(({ access }) => opensByPlan(access)).map(({ id }) => id)

const opensByPlan = (access: ProductAccess) => accessTable[access].subscriber && !accessTable[access].member

/** The viewer's right to one product. */
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
    source: best.source,
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
  worth[a.source] - worth[b.source] ||
  Number(a.startedAt === null) - Number(b.startedAt === null) ||
  (b.expiresAt ?? '').localeCompare(a.expiresAt ?? '')

const day = 86_400_000

/**
 * A member takes a product of the kind FREE with the first play or download: it is theirs from then on, also when the store gives it
 * away no more. Ask only where the member may play or download it.
 */
export const takeFreeProduct = async (
  ctx: MemberCtx,
  product: Pick<ProductRow, 'id' | 'kind'>,
  { held }: Right,
): Promise<void> => {
  if (product.kind !== 'FREE' || held) return
  const grant = { memberId: ctx.actor.memberId, productId: product.id }
  await insertGrant(ctx.db, ctx.customer.id, grant, ctx.clock.now())
}

/**
 * Begins the fulfillment behind a bought right: the first play or download. A rental's days count from here. What was done is kept
 * as evidence, with whether the person had read that it ends the right to send the product back. Answers when the right ends.
 */
export const beginFulfillment = async (
  ctx: MemberCtx,
  productId: ProductId,
  right: Right,
  act: { kind: 'PLAY' | 'DOWNLOAD'; subject: string; accepted: boolean },
): Promise<string | null> => {
  const { entitlement } = right
  if (!entitlement) return right.expiresAt
  if (entitlement.startedAt !== null) return entitlement.expiresAt
  const now = ctx.clock.now()
  const ends = entitlement.rentalDays === null ? null : new Date(now.getTime() + entitlement.rentalDays * day)
  const { first, expiresAt } = await beginEntitlement(ctx.db, ctx.customer.id, entitlement, {
    at: now,
    expiresAt: ends,
  })
  if (first) {
    const { orderItemId } = entitlement
    if (orderItemId) await emit(ctx, 'entitlementBegun', { orderItemId, at: now })
    await insertFulfillment(ctx.db, ctx.customer.id, {
      memberId: ctx.actor.memberId,
      productId,
      entitlementId: entitlement.id,
      at: now.toISOString(),
      ...act,
    })
  }
  return expiresAt
}

/** Until when an order may be sent back; null where nothing was paid. */
export const cancelUntil = (
  { paidAt, totalAmount }: { paidAt: string | null; totalAmount: number },
  refundDays: number,
): string | null =>
  paidAt === null || totalAmount === 0 ? null : new Date(Date.parse(paidAt) + refundDays * day).toISOString()

/** What ends with the first play or download of a right: the money that could still come back, and until when; null where there is none. */
export const refundableOf = (
  { customer, clock }: Pick<Ctx, 'customer' | 'clock'>,
  right: HeldEntitlement | null,
): ViewerState['refundable'] => {
  if (right === null || right.startedAt !== null || right.openedAt !== null || right.refundedAt !== null) return null
  const { paidAt, priceAmount, totalAmount, currency } = right
  if (!priceAmount || totalAmount === null || currency === null) return null
  const until = cancelUntil({ paidAt, totalAmount }, customer.settings.order.refundDays)
  if (until === null || Date.parse(until) <= clock.now().getTime()) return null
  return { amount: { amount: priceAmount, currency }, until }
}
