import type { ProductRow } from '#api/modules/catalog/playables.queries.ts'
import { planAccess } from '#api/modules/plans/plans.queries.ts'
import { type PlanCoverage, planCoverage } from '#api/modules/plans/plans.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import type { Actor, Ctx, Customer, MemberCtx } from '#api/platform/context.ts'
import { readOnce } from '#api/platform/db/shared-reads.ts'
import { emit } from '#api/platform/events.ts'
import type { ViewerState } from '#contract/catalog.ts'
import type { ProductAccess } from '#contract/enumerations.ts'
import type { OrderItemId, ProductId } from '#contract/ids.ts'
import {
  beginEntitlement,
  endEntitlements,
  type Grant,
  type HeldEntitlement,
  type HeldRights,
  heldRights,
  insertEntitlements,
  insertFulfillment,
  insertGrant,
  setSuspended,
} from './entitlements.queries.ts'

/** Whom a product may be open to without a purchase: anyone, members, or subscribers of a plan. */
type ViewerKind = 'guest' | 'member' | 'subscriber'

/**
 * Who may watch or download a product without buying it, by its access. A purchase opens every
 * product. Everyone else sees the preview and the options.
 */
const accessTable = {
  FREE: { guest: true, member: true, subscriber: true },
  MEMBER: { guest: false, member: true, subscriber: true },
  PURCHASE: { guest: false, member: false, subscriber: false },
  PLAN: { guest: false, member: false, subscriber: true },
  PURCHASE_OR_PLAN: { guest: false, member: false, subscriber: true },
} as const satisfies Record<ProductAccess, Record<ViewerKind, boolean>>

/**
 * The context that right checks need. Smaller than a full context, because media requests have
 * none.
 */
export interface RightsCtx {
  customer: Pick<Customer, 'id' | 'settings'>
  actor: Actor
  db: Ctx['db']
  clock: Ctx['clock']
}

/**
 * A person's right to a product now: the fields of the viewer's state, the underlying entitlement,
 * and whether the person holds any entitlement, even if a better source takes precedence. A
 * `suspended` entitlement gives no access during a refund decision; it may be restored, so it
 * blocks buying the same product again.
 */
export interface Right extends Pick<ViewerState, 'entitled' | 'source' | 'expiresAt' | 'startBy'> {
  entitlement: HeldEntitlement | null
  owned: boolean
  suspended: HeldEntitlement['source'] | null
}

type Subject = { id: ProductId; access: ProductAccess }

const noRight: Right = {
  entitled: false,
  source: null,
  expiresAt: null,
  startBy: null,
  entitlement: null,
  owned: false,
  suspended: null,
}

/** Returns the viewer's rights to products. */
export const rightsOf = async (ctx: RightsCtx, products: readonly Subject[]): Promise<Map<ProductId, Right>> => {
  const { actor, customer, db } = ctx
  const now = ctx.clock.now()
  const rights =
    actor.kind === 'USER' && products.length > 0
      ? await heldRights(
          db,
          customer.id,
          { memberId: actor.memberId, productIds: products.map(({ id }) => id), onPlan: onPlanOf(products) },
          now,
        )
      : null
  return rightsFrom({ actor, heldRights: rights, useFree: customer.settings.order.useFree }, products, now)
}

/**
 * Derives the rights to products from what a person holds. This function alone decides who may
 * watch or download. In a store without free products (`useFree` off), guests and members have no
 * free access; existing rights remain.
 */
export const rightsFrom = (
  { actor, heldRights, useFree }: { actor: Actor; heldRights: HeldRights | null; useFree: boolean },
  products: readonly Subject[],
  now: Date,
): Map<ProductId, Right> => {
  const plan: PlanCoverage = heldRights ? planCoverage(heldRights, onPlanOf(products), now) : new Map()
  const ofProduct = Map.groupBy(heldRights?.entitlements ?? [], (row) => row.productId)
  return new Map(
    products.map((product) => [
      product.id,
      decideRight({ actor, useFree }, product, ofProduct.get(product.id) ?? [], plan),
    ]),
  )
}

const onPlanOf = (products: readonly Subject[]) =>
  products.filter(({ access }) => isOpenedByPlan(access)).map(({ id }) => id)

/** Whether plans may cover products of an access. */
export const isOpenedByPlan = (access: ProductAccess): boolean => planAccess.some((each) => each === access)

const rightKey = ({ actor }: Pick<RightsCtx, 'actor'>, id: ProductId) =>
  `right ${actor.kind === 'USER' ? actor.memberId : ''} ${id}`

/** Returns the viewer's right to one product. */
export const rightOf = async (ctx: RightsCtx, product: Subject): Promise<Right> =>
  readOnce(ctx.db, rightKey(ctx, product.id), async () => (await rightsOf(ctx, [product])).get(product.id) ?? noRight)

/** Makes the viewer's right known to `rightOf` of the same shared reads. */
export const shareRight = (ctx: RightsCtx, { id }: Pick<Subject, 'id'>, right: Right) =>
  readOnce(ctx.db, rightKey(ctx, id), () => Promise.resolve(right))

/** Derives the right to one product from what a person holds. */
export const rightFrom = (who: Parameters<typeof rightsFrom>[0], product: Subject, now: Date): Right =>
  rightsFrom(who, [product], now).get(product.id) ?? noRight

interface Viewer {
  actor: Actor
  useFree: boolean
}

const decideRight = (viewer: Viewer, product: Subject, all: readonly HeldEntitlement[], plan: PlanCoverage): Right => {
  const rows = all.filter((row) => !row.suspended)
  const isOwned = rows.length > 0
  const [best] = [...rows].sort(byPreference)
  const [waiting] = all.filter((row) => row.suspended).sort(byPreference)
  const suspended = waiting?.source ?? null
  const open = accessWithoutEntitlement(viewer, product, plan)
  // A rental is neither used nor started for content that is accessible anyway. A product taken for
  // free remains free as long as it is free for all.
  const isFreeAnyway = best?.source === 'GRANT' && (open?.source === 'FREE' || open?.source === 'MEMBER')
  if (!best || isFreeAnyway || (best.source === 'RENT' && open))
    return { ...(open ?? noRight), owned: isOwned, suspended }
  return {
    entitled: true,
    source: best.source,
    expiresAt: best.expiresAt,
    startBy: best.startedAt === null ? best.startBy : null,
    entitlement: best,
    owned: isOwned,
    suspended,
  }
}

/**
 * Returns the access a person has without an entitlement: free products, products free for members,
 * and products on their plan.
 */
const accessWithoutEntitlement = ({ actor, useFree }: Viewer, product: Subject, plan: PlanCoverage): Right | null => {
  const allows = (kind: ViewerKind) => accessTable[product.access][kind]
  if (useFree && allows('guest')) return { ...noRight, entitled: true, source: 'FREE' }
  if (actor.kind !== 'USER') return null
  if (useFree && allows('member')) return { ...noRight, entitled: true, source: 'MEMBER' }
  const covered = plan.get(product.id)
  if (covered && allows('subscriber')) return { ...noRight, entitled: true, source: 'PLAN', expiresAt: covered.until }
  return null
}

const preference = { OWN: 0, GRANT: 1, PLAN: 2, RENT: 3 } as const

/**
 * Unlimited rights come before limited ones. Of two rentals, the started one comes first, then the
 * one that ends later.
 */
const byPreference = (a: HeldEntitlement, b: HeldEntitlement) =>
  preference[a.source] - preference[b.source] ||
  Number(a.startedAt === null) - Number(b.startedAt === null) ||
  (b.expiresAt ?? '').localeCompare(a.expiresAt ?? '')

/**
 * Grants a member a product of the kind FREE on the first play or download. The right remains if
 * the store later stops offering free products. The caller must have checked access.
 */
export const claimFreeProduct = async (
  ctx: MemberCtx,
  product: Pick<ProductRow, 'id' | 'kind'>,
  { owned }: Right,
): Promise<void> => {
  if (product.kind !== 'FREE' || owned) return
  const grant = { memberId: ctx.actor.memberId, productId: product.id }
  await insertGrant(ctx.db, ctx.customer.id, grant, ctx.clock.now())
}

/**
 * Starts the fulfillment of a purchased right on the first play or download. A rental's days count
 * from here. The event is stored as evidence, with whether the member had been told that it ends
 * the right of withdrawal. Returns when the right ends.
 */
export const beginFulfillment = async (
  ctx: MemberCtx,
  productId: ProductId,
  right: Right,
  use: { kind: 'PLAY' | 'DOWNLOAD'; subject: string; accepted: boolean },
): Promise<string | null> => {
  const { entitlement } = right
  if (!entitlement) return right.expiresAt
  if (entitlement.startedAt !== null) return entitlement.expiresAt
  const now = ctx.clock.now()
  const ends =
    entitlement.rentalDays === null ? null : new Date(now.getTime() + entitlement.rentalDays * dayMilliseconds)
  const { first, expiresAt } = await beginEntitlement(ctx.db, ctx.customer.id, entitlement, {
    at: now,
    expiresAt: ends,
  })
  if (first) {
    const { orderItemId } = entitlement
    if (orderItemId) await emit(ctx, 'entitlementStarted', { orderItemId, at: now })
    await insertFulfillment(ctx.db, ctx.customer.id, {
      memberId: ctx.actor.memberId,
      productId,
      entitlementId: entitlement.id,
      at: now.toISOString(),
      ...use,
    })
  }
  return expiresAt
}

/** Returns until when an order can be refunded. Null if nothing was paid. */
export const cancelUntil = (
  { paidAt, totalAmount }: { paidAt: string | null; totalAmount: number },
  refundDays: number,
): string | null =>
  paidAt === null || totalAmount === 0
    ? null
    : new Date(Date.parse(paidAt) + refundDays * dayMilliseconds).toISOString()

/**
 * Returns the refund that the first play or download of a right forfeits, and its deadline. Null if
 * there is none.
 */
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

type GrantCtx = Pick<Ctx, 'db' | 'clock'> & { customer: Pick<Customer, 'id'> }

/** Grants rights. An order item grants one right, however often this runs. */
export const grantEntitlements = ({ db, customer, clock }: GrantCtx, grants: readonly Grant[]) =>
  insertEntitlements(db, customer.id, grants, clock.now())

/** Suspends rights granted by order items. A concurrent start waits or has already happened. */
export const suspendEntitlements = ({ db, customer }: GrantCtx, itemIds: readonly OrderItemId[]) =>
  setSuspended(db, customer.id, itemIds, true)

/** Restores suspended rights granted by order items. */
export const restoreEntitlements = ({ db, customer }: GrantCtx, itemIds: readonly OrderItemId[]) =>
  setSuspended(db, customer.id, itemIds, false)

/** Ends rights granted by order items immediately. */
export const revokeEntitlements = ({ db, customer, clock }: GrantCtx, itemIds: readonly OrderItemId[]) =>
  endEntitlements(db, customer.id, itemIds, { revokedAt: clock.now().toISOString() })

/**
 * Ends rights that order items granted by mistake. The items grant new ones once they are paid, so
 * that a rental begins anew.
 */
export const withdrawEntitlements = ({ db, customer, clock }: GrantCtx, itemIds: readonly OrderItemId[]) =>
  endEntitlements(db, customer.id, itemIds, { revokedAt: clock.now().toISOString(), orderItemId: null })
