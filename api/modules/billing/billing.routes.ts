import { ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import type { Sandbox } from '#api/modules/billing/providers/sandbox/hosted-page.ts'
import { addToCart, changeLine, getCart, removeLine } from '#api/modules/orders/cart.ts'
import { placeOrder } from '#api/modules/orders/orders.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { isFailure } from '#api/platform/context.ts'
import { problemResponse } from '#api/platform/http/problems.ts'
import {
  asMember,
  implementProcedures,
  type ProcedureContext,
  transact,
  transactAsMember,
  transactAsOperator,
  transactAsVisitor,
  unwrap,
} from '#api/platform/http/procedures.ts'
import { callerKey, callerLocale, consumeSharedLimit, ifMatch, limited } from '#api/platform/http/request-facts.ts'
import { idempotent } from '#api/platform/idempotency/idempotency.ts'
import { hourSeconds, type LimitKinds, minuteSeconds } from '#api/platform/limits/rate-limits.ts'
import { confirmCard, listCards, makeDefault, registerCard, removeCard } from './cards.ts'
import { getOrder, getReceipt, listOrders, viewOrder } from './orders.ts'
import { atProvider, memberPaymentCtx, type PaymentDeps, paymentCtx, unattendedPaymentCtx } from './payment-states.ts'
import { confirmPayment, startPayment } from './payments.ts'
import {
  type AccountFacts,
  choosePaymentAccountAsSeen,
  type InstallationSecrets,
  viewPaymentAccounts,
} from './providers.ts'
import { receiptPdf } from './receipts/receipt-pdf.ts'
import { receiveEvent, type SettleReference } from './reconcile-payments.ts'
import { requestCancel, setRefundAccount, withdrawCancelRequest } from './refund-requests.ts'

/** Returns the limits of orders and cards. */
export const createBillingLimits = ({ inProcess, shared }: LimitKinds) => ({
  orderDrafts: inProcess(60, 10 * minuteSeconds),
  /** Card registrations and charges, because testing stolen card numbers takes many. */
  cards: shared('card', 60, hourSeconds),
})
export type BillingLimits = ReturnType<typeof createBillingLimits>

/** What the procedures of this module need of the process. */
interface BillingDeps extends PaymentDeps {
  limits: BillingLimits
}

const os = implementProcedures<BillingDeps>()

/** Procedures of the cart and of orders, which are shown with their payments. */
export const orderProcedures = {
  cart: os.orders.cart.handler(({ context }) => transact(context, getCart)),
  addToCart: os.orders.addToCart.handler(({ context, input }) =>
    transactAsVisitor(context, (ctx) => addToCart(ctx, input)),
  ),
  changeCartItem: os.orders.changeCartItem.handler(({ context, input }) =>
    transactAsVisitor(context, (ctx) => changeLine(ctx, input)),
  ),
  removeCartItem: os.orders.removeCartItem.handler(({ context, input }) =>
    transactAsVisitor(context, (ctx) => removeLine(ctx, input)),
  ),
  placeOrder: os.orders.placeOrder.handler(({ context, input }) =>
    idempotent(context, 'placeOrder', input, () =>
      limited(context, context.deps.limits.orderDrafts, () =>
        transactAsMember(context, async (ctx) => {
          const order = await placeOrder(ctx, input)
          return isFailure(order) ? order : viewOrder(ctx, order)
        }),
      ),
    ),
  ),
  orders: os.orders.orders.handler(({ context, input }) => transactAsMember(context, (ctx) => listOrders(ctx, input))),
  order: os.orders.order.handler(({ context, input }) => transactAsMember(context, (ctx) => getOrder(ctx, input.code))),
}

export const billingProcedures = {
  requestCancel: os.billing.requestCancel.handler(({ context, input }) =>
    idempotent(context, 'requestCancel', input, async () =>
      unwrap(await requestCancel(memberPaymentCtx(asMember(context)), input)),
    ),
  ),
  withdrawCancelRequest: os.billing.withdrawCancelRequest.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => withdrawCancelRequest(ctx, input.code)),
  ),
  setRefundAccount: os.billing.setRefundAccount.handler(({ context, input }) =>
    idempotent(context, 'setRefundAccount', input, async () =>
      unwrap(await setRefundAccount(memberPaymentCtx(asMember(context)), input.code, input.refundAccount)),
    ),
  ),
  receipt: os.billing.receipt.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => getReceipt(ctx, input.code)),
  ),
  receiptPdf: os.billing.receiptPdf.handler(async ({ context, input }) => {
    const receipt = await transactAsMember(context, (ctx) => getReceipt(ctx, input.code))
    const pdf = await receiptPdf(receipt, input.lang ?? callerLocale(context), context.customer.settings.base)
    return new File([new Uint8Array(pdf)], `receipt-${receipt.number}.pdf`, { type: 'application/pdf' })
  }),
  startPayment: os.billing.startPayment.handler(({ context, input }) =>
    idempotent(context, 'startPayment', input, async () =>
      unwrap(await startPayment(memberPaymentCtx(asMember(context)), { ...input, locale: callerLocale(context) })),
    ),
  ),
  confirmPayment: os.billing.confirmPayment.handler(async ({ context, input }) =>
    unwrap(await confirmPayment(memberPaymentCtx(asMember(context)), input.id)),
  ),

  cards: os.billing.cards.handler(async ({ context }) => ({ items: await transactAsMember(context, listCards) })),
  registerCard: os.billing.registerCard.handler(({ context, input }) =>
    idempotent(context, 'registerCard', input, async () => {
      await consumeSharedLimit(context.deps.limits.cards, context.customer.id, callerKey(context))
      return unwrap(
        await registerCard(memberPaymentCtx(asMember(context)), { ...input, locale: callerLocale(context) }),
      )
    }),
  ),
  confirmCard: os.billing.confirmCard.handler(
    async ({ context, input }) => unwrap(await confirmCard(memberPaymentCtx(asMember(context)), input.id)).confirmed,
  ),
  makeDefault: os.billing.makeDefault.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => makeDefault(ctx, input.id)),
  ),
  removeCard: os.billing.removeCard.handler(async ({ context, input }) => {
    await transactAsMember(context, (ctx) => removeCard(ctx, input.id))
  }),
}

/**
 * Receives a provider's webhook. The signature authenticates it, not a session. The response status
 * only tells the provider whether to deliver the webhook again. `settleOther` handles references
 * that are not payments of an order.
 */
export const answerWebhook = async (
  deps: PaymentDeps & { sandbox: Pick<Sandbox, 'provider'> },
  request: Request,
  { code, provider }: { code: string; provider: string },
  requestId: string,
  settleOther: SettleReference,
): Promise<Response> => {
  const customer = await resolveCustomer(deps, code)
  const hasProvider =
    provider === deps.sandbox.provider.name ||
    customer?.paymentAccounts.some((account) => account.provider === provider)
  if (!customer || !hasProvider) return problemResponse('NOT_FOUND', { requestId })
  const ctx = atProvider(unattendedPaymentCtx(deps, customer, requestId), { provider })
  const received = await receiveEvent(ctx, { headers: request.headers, body: await request.text() }, settleOther)
  switch (received.code) {
    case 'RECEIVED':
      return new Response(null, { status: 204 })
    case 'TRY_AGAIN':
      return problemResponse('UNAVAILABLE', { requestId })
    case 'BODY_INVALID':
      return problemResponse('BAD_REQUEST', { requestId })
    case 'SIGNATURE_INVALID':
    case 'SIGNATURE_TOO_OLD':
      ctx.log.warn({ result: received.code }, 'A webhook was refused')
      return problemResponse('UNAUTHORIZED', { requestId })
    default:
      return received satisfies never
  }
}

/** What the accounts at payment providers need of the process. */
interface AccountDeps extends PaymentDeps {
  paymentSecrets: InstallationSecrets
}

const accountOs = implementProcedures<AccountDeps>().admin.paymentAccounts

const accountFacts = (context: ProcedureContext<AccountDeps>): AccountFacts => {
  const { provider, encryptionSecret } = paymentCtx(context)
  const { origin, deps } = context
  return { takesPayments: provider, encryptionSecret, installation: deps.paymentSecrets, origin }
}

/** Procedures of a store's accounts at payment providers. */
export const paymentAccountProcedures = {
  read: accountOs.read.handler(({ context }) =>
    transact(context, (ctx) => viewPaymentAccounts(ctx, accountFacts(context))),
  ),
  choose: accountOs.choose.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) =>
      choosePaymentAccountAsSeen(ctx, by, ifMatch(context), input, accountFacts(context)),
    ),
  ),
  check: accountOs.check.handler(async ({ context, input }) => {
    try {
      const isAccepted = await paymentCtx(context).providerNamed(input.provider).acceptsAccount()
      return { result: isAccepted ? 'ACCEPTED' : 'REFUSED' } as const
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error
      context.log.info({ err: error, provider: input.provider }, 'A payment provider did not answer a check')
      return { result: 'UNAVAILABLE' } as const
    }
  }),
}
