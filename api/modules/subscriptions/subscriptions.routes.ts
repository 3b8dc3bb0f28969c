import type { BillingLimits } from '#api/modules/billing/billing.routes.ts'
import { memberPaymentCtx, type PaymentDeps, paymentCtx } from '#api/modules/billing/payment-states.ts'
import {
  changeStorePlan,
  createPlan,
  deletePlan,
  listStorePlans,
  movePlan,
  viewStorePlan,
} from '#api/modules/plans/edit-plans.ts'
import { getPlan, listPlans, planProducts, plansClosed, subscriptionProducts } from '#api/modules/storefront/plans.ts'
import type { CatalogStores } from '#api/modules/storefront/search.ts'
import {
  asMember,
  implementProcedures,
  operatorName,
  type ProcedureContext,
  transact,
  transactAsMember,
  transactAsOperator,
  unwrap,
} from '#api/platform/http/procedures.ts'
import { callerKey, callerLocale, consumeSharedLimit, ifMatch } from '#api/platform/http/request-facts.ts'
import { idempotent } from '#api/platform/idempotency/idempotency.ts'
import { cancelSubscription, resumeSubscription } from './ending.ts'
import { changePlan, quoteChange } from './plan-changes.ts'
import { retryCharge } from './renewals.ts'
import { blockWithSubscription, cancelByStore, endByStore, extendByStore, retryByStore } from './store-changes.ts'
import {
  endPause,
  pauseByStore,
  refundChargeByStore,
  resumeByStore,
  revokeCancellationByStore,
  viewMemberSubscription,
} from './store-pauses-and-refunds.ts'
import { changePlanByStore, changePlanNowByStore, quoteByStore } from './store-plan-changes.ts'
import { confirmSubscription, subscribe } from './subscribe.ts'
import { getSubscription, listHistory, listPlanNames, pageSubscriptions } from './subscription-view.ts'

/** What the procedures of this module need of the process. */
interface SubscriptionDeps extends PaymentDeps, CatalogStores {
  limits: Pick<BillingLimits, 'cards'>
}

const os = implementProcedures<SubscriptionDeps>()

/** The member's current subscription: the response of every procedure that changes it. */
const readSubscription = (context: ProcedureContext<SubscriptionDeps>) =>
  transactAsMember(context, (ctx) => getSubscription(ctx, context.deps))

export const subscriptionProcedures = {
  plans: os.subscriptions.plans.handler(({ context }) => transact(context, (ctx) => listPlans(ctx, context.deps))),
  plan: os.subscriptions.plan.handler(({ context, input }) =>
    transact(context, (ctx) => getPlan(ctx, context.deps, input.id)),
  ),
  planProducts: os.subscriptions.planProducts.handler(({ context, input }) =>
    transact(context, (ctx) => planProducts(ctx, context.deps, input)),
  ),
  subscriptionProducts: os.subscriptions.subscriptionProducts.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => subscriptionProducts(ctx, context.deps, input)),
  ),

  subscription: os.subscriptions.subscription.handler(({ context }) => readSubscription(context)),
  subscribe: os.subscriptions.subscribe.handler(({ context, input }) =>
    idempotent(context, 'subscribe', input, async () => {
      await consumeSharedLimit(context.deps.limits.cards, context.customer.id, callerKey(context))
      return unwrap(
        await subscribe(memberPaymentCtx(asMember(context)), context.deps, { ...input, locale: callerLocale(context) }),
      )
    }),
  ),
  confirmSubscription: os.subscriptions.confirmSubscription.handler(
    async ({ context, input }) =>
      unwrap(await confirmSubscription(memberPaymentCtx(asMember(context)), context.deps, input.id)).confirmed,
  ),
  quote: os.subscriptions.quote.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => quoteChange(ctx, context.deps, input.planId)),
  ),
  changePlan: os.subscriptions.changePlan.handler(({ context, input }) =>
    idempotent(context, 'changePlan', input, async () => {
      await consumeSharedLimit(context.deps.limits.cards, context.customer.id, callerKey(context))
      unwrap(await changePlan(memberPaymentCtx(asMember(context)), context.deps, input))
      return readSubscription(context)
    }),
  ),
  cancelSubscription: os.subscriptions.cancelSubscription.handler(async ({ context, input }) => {
    await transactAsMember(context, (ctx) => cancelSubscription(ctx, input.reason))
    return readSubscription(context)
  }),
  resumeSubscription: os.subscriptions.resumeSubscription.handler(async ({ context }) => {
    await transactAsMember(context, resumeSubscription)
    return readSubscription(context)
  }),
  endPause: os.subscriptions.endPause.handler(({ context }) =>
    idempotent(context, 'endPause', {}, async () => {
      await consumeSharedLimit(context.deps.limits.cards, context.customer.id, callerKey(context))
      const ctx = memberPaymentCtx(asMember(context))
      unwrap(await endPause(ctx, ctx.actor.memberId))
      return readSubscription(context)
    }),
  ),
  retryCharge: os.subscriptions.retryCharge.handler(({ context }) =>
    idempotent(context, 'retryCharge', {}, async () => {
      await consumeSharedLimit(context.deps.limits.cards, context.customer.id, callerKey(context))
      const ctx = memberPaymentCtx(asMember(context))
      // A store that no longer sells plans charges nobody.
      unwrap(plansClosed(context) ?? (await retryCharge(ctx, ctx.actor.memberId)))
      return readSubscription(context)
    }),
  ),
  subscriptionHistory: os.subscriptions.subscriptionHistory.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => listHistory(ctx, input)),
  ),
}

const { members } = os.admin

/** The subscriptions of all members. */
export const storeSubscriptionProcedures = {
  list: os.admin.subscriptions.list.handler(({ context, input }) =>
    transact(context, (ctx) => pageSubscriptions(ctx, input)),
  ),
  plans: os.admin.subscriptions.plans.handler(({ context }) => transact(context, listPlanNames)),
}

/** What operators do with subscriptions of members. */
export const memberSubscriptionProcedures = {
  subscription: members.subscription.handler(({ context, input }) =>
    transact(context, (ctx) => viewMemberSubscription(ctx, input.id)),
  ),
  cancelSubscription: members.cancelSubscription.handler(async ({ context, input }) => {
    const expected = ifMatch(context)
    await transactAsOperator(context, (ctx, by) => cancelByStore(ctx, by, { ...input, expected }))
  }),
  endSubscription: members.endSubscription.handler(async ({ context, input }) =>
    unwrap(await endByStore(paymentCtx(context), operatorName(context), { ...input, expected: ifMatch(context) })),
  ),
  revokeCancellation: members.revokeCancellation.handler(async ({ context, input }) => {
    const expected = ifMatch(context)
    await transactAsOperator(context, (ctx, by) => revokeCancellationByStore(ctx, by, { ...input, expected }))
  }),
  refundCharge: members.refundCharge.handler(async ({ context, input }) =>
    unwrap(
      await refundChargeByStore(paymentCtx(context), operatorName(context), { ...input, expected: ifMatch(context) }),
    ),
  ),
  extendSubscription: members.extendSubscription.handler(async ({ context, input }) => {
    const expected = ifMatch(context)
    await transactAsOperator(context, (ctx, by) => extendByStore(ctx, by, { ...input, expected }))
  }),
  pauseSubscription: members.pauseSubscription.handler(async ({ context, input }) => {
    const expected = ifMatch(context)
    await transactAsOperator(context, (ctx, by) => pauseByStore(ctx, by, { ...input, expected }))
  }),
  resumeSubscription: members.resumeSubscription.handler(async ({ context, input }) =>
    unwrap(await resumeByStore(paymentCtx(context), operatorName(context), { ...input, expected: ifMatch(context) })),
  ),
  quotePlanChange: members.quotePlanChange.handler(({ context, input }) =>
    transact(context, (ctx) => quoteByStore(ctx, input)),
  ),
  changePlan: members.changePlan.handler(async ({ context, input }) => {
    const expected = ifMatch(context)
    await transactAsOperator(context, (ctx, by) => changePlanByStore(ctx, by, { ...input, expected }))
  }),
  changePlanNow: members.changePlanNow.handler(async ({ context, input }) =>
    unwrap(
      await changePlanNowByStore(paymentCtx(context), operatorName(context), { ...input, expected: ifMatch(context) }),
    ),
  ),
  retryCharge: members.retryCharge.handler(async ({ context, input }) => {
    unwrap(await retryByStore(paymentCtx(context), operatorName(context), { ...input, expected: ifMatch(context) }))
  }),
  block: members.block.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => blockWithSubscription(ctx, by, input))
  }),
}

const { plans } = os.admin

/** The plans of the store as operators edit them. */
export const storePlanProcedures = {
  list: plans.list.handler(({ context }) => transact(context, listStorePlans)),
  get: plans.get.handler(({ context, input }) => transact(context, (ctx) => viewStorePlan(ctx, input.id))),
  create: plans.create.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => createPlan(ctx, by, input)),
  ),
  change: plans.change.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => changeStorePlan(ctx, by, ifMatch(context), input)),
  ),
  move: plans.move.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => movePlan(ctx, by, ifMatch(context), input)),
  ),
  delete: plans.delete.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => deletePlan(ctx, by, ifMatch(context), input.id))
  }),
}
