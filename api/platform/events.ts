import type { ChargeKind } from '#contract/admin/subscriptions.ts'
import type { OptionType } from '#contract/enumerations.ts'
import type {
  CommentId,
  GuestId,
  InquiryCode,
  InquiryTypeCode,
  MemberId,
  OptionId,
  OrderCode,
  OrderItemId,
  PaymentId,
  PlanId,
  ProductCode,
  ProductId,
  StaffId,
  SubscriptionId,
} from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import type { EndReason } from '#contract/subscriptions.ts'

interface SubscriptionPayload {
  subscriptionId: SubscriptionId
  memberId: MemberId
  planId: PlanId
}

interface RefundRequestPayload {
  orderCode: OrderCode
  memberId: MemberId
  amount: Money
  /** The products whose access would end. */
  productIds: ProductId[]
}

/**
 * Events that stores' programs are told of: their payload is the `data` of a webhook. It has ids
 * and facts, and no personal data. Fields are only added, because programs read them.
 */
interface PublishedEvents {
  /** An order is paid, or costs nothing and was completed. */
  orderPaid: {
    orderCode: OrderCode
    memberId: MemberId
    total: Money
    paidAt: string
    complimentary: boolean
    items: { productId: ProductId; optionId: OptionId | null; optionType: OptionType; price: Money }[]
  }
  /**
   * A bank transfer has paid an order. `total` is what the order costs now: less than before where
   * staff accepted a smaller amount.
   */
  depositReceived: {
    orderCode: OrderCode
    memberId: MemberId
    amount: Money
    total: Money
    /** Whether staff or a program recorded it, and not the payment provider. */
    byStaff: boolean
  }
  /** The bank has reversed a transfer that had paid an order, or staff have undone it. */
  depositReversed: {
    orderCode: OrderCode
    memberId: MemberId
    /** As in `depositReceived`: with what was received beyond the price. */
    amount: Money
    /** What the order costs now. */
    total: Money
    /** Until when the order waits for its payment again; null if it does not. */
    dueAt: string | null
    /** The products whose access has ended with it. */
    productIds: ProductId[]
    /** Whether staff or a program had recorded the deposit by mistake and undid it. */
    byStaff: boolean
  }
  /** A member has asked for a refund. Without a decision of staff it follows at once. */
  refundRequested: RefundRequestPayload & { needsDecision: boolean }
  /** Staff have refused a refund. */
  refundRejected: RefundRequestPayload
  /** A member no longer wants a refund that was asked for. */
  refundWithdrawn: RefundRequestPayload
  /** Money of an order was refunded. */
  orderRefunded: {
    orderCode: OrderCode
    memberId: MemberId
    amount: Money
    /** In all, with earlier refunds. */
    refundedTotal: Money
    /** Whether nothing of the order is left. */
    whole: boolean
    /** The products whose rights have ended. */
    productIds: ProductId[]
  }
  /** The first period of a subscription, or its trial, has begun. */
  subscriptionStarted: SubscriptionPayload & { periodEnd: string; trialEndsAt: string | null }
  /** A further period is paid. */
  subscriptionRenewed: SubscriptionPayload & { periodEnd: string; amount: Money }
  /** Another plan applies from now on. */
  subscriptionPlanChanged: SubscriptionPayload & { formerPlanId: PlanId }
  /** A pause has begun, or another day was set for its end. */
  subscriptionPaused: SubscriptionPayload & { resumeAt: string | null }
  /** A pause has ended. The renewal is due where the period is over. */
  subscriptionResumed: SubscriptionPayload & { periodEnd: string | null }
  /** A subscription will end at `cancelAt`, or another time was set for its planned end. */
  subscriptionCancellationScheduled: SubscriptionPayload & { cancelAt: string }
  /** A subscription whose end was planned continues. */
  subscriptionCancellationRevoked: SubscriptionPayload
  /** Access by a subscription has ended. */
  subscriptionEnded: SubscriptionPayload & { reason: EndReason }
  /** A first payment, a renewal or an upgrade was declined. `planId` is the plan until then. */
  chargeFailed: SubscriptionPayload & {
    chargeId: PaymentId
    kind: ChargeKind
    amount: Money
    /** Why, as the payment provider or the store names it: `CARD_DECLINED`. */
    failure: string
    /** When a renewal is charged again; null if it is not. */
    nextAttemptAt: string | null
  }
  /** Money of a charge was refunded. */
  chargeRefunded: SubscriptionPayload & {
    chargeId: PaymentId
    amount: Money
    /** In all, with earlier refunds. */
    refundedTotal: Money
    /** Whether nothing of the charge is left. */
    whole: boolean
  }
  memberJoined: { memberId: MemberId }
  /** An account was deleted, by its member or by staff, who may have merged it into another one. */
  memberDeleted: { memberId: MemberId; byStaff: boolean; mergedIntoId: MemberId | null }
  /** A member has sent an inquiry. */
  inquiryReceived: {
    inquiryCode: InquiryCode
    type: InquiryTypeCode
    memberId: MemberId
    productId: ProductId | null
    orderCode: OrderCode | null
  }
  /** A comment waits for a decision of staff. */
  commentHeld: { commentId: CommentId; productId: ProductId; memberId: MemberId }
  /** Staff have put a product on sale, which may begin later. */
  productOnSale: { productId: ProductId; productCode: ProductCode; saleFrom: string | null; saleTo: string | null }
}

/** The domain events that modules emit, with their payloads. */
export interface DomainEvents extends PublishedEvents {
  /** A guest has signed in or joined. Data of the guest's id is assigned to the member. */
  memberSignedIn: { guestId: GuestId; memberId: MemberId }
  /** Staff have merged an account into another one, which gets its data. */
  memberMerged: { fromId: MemberId; memberId: MemberId }
  /** A bought product was played or downloaded for the first time. */
  entitlementStarted: { orderItemId: OrderItemId; at: Date }
  /** A person of the staff no longer belongs to the store. */
  staffRemoved: { staffId: StaffId }
  /** A visitor's search found nothing. */
  searchMissed: { words: string }
}

/** The handlers of each event, for a context that `EventCtx` in `context.ts` names. */
export type HandlersIn<Context> = {
  readonly [Name in keyof DomainEvents]: readonly ((ctx: Context, payload: DomainEvents[Name]) => Promise<void>)[]
}

/**
 * Applies an event in the caller's transaction. Runs the handlers one after the other, in their
 * order, and resolves when all of them are done.
 *
 * @throws the error of a handler; the transaction is then rolled back with the emitter's writes
 */
export const emit = async <Context, Name extends keyof DomainEvents>(
  ctx: Context & { events: HandlersIn<Context> },
  name: Name,
  payload: DomainEvents[Name],
): Promise<void> => {
  const handlers: HandlersIn<Context>[Name] = ctx.events[name]
  for (const handle of handlers) await handle(ctx, payload)
}
