import { getOrder, listOrders, placeOrder } from '#api/modules/billing/orders.ts'
import { confirmPayment, startPayment } from '#api/modules/billing/payments.ts'
import { memberPaymentEnv } from '#api/modules/billing/providers/providers.ts'
import { receiptPdf } from '#api/modules/billing/receipts/receipt-pdf.ts'
import { getReceipt } from '#api/modules/billing/receipts.ts'
import { requestCancel, setRefundAccount, withdrawCancelRequest } from '#api/modules/billing/refund-requests.ts'
import { withGuest } from '#api/modules/identity/caller.ts'
import { addToCart, changeLine, getCart, removeLine } from '#api/modules/orders/cart.ts'
import { type CallContext, os, transact, transactAsMember, unwrap } from '#api/platform/http/procedures.ts'
import { limited } from '#api/platform/http/request-facts.ts'
import { callerLocale } from '#api/platform/i18n/translations.ts'
import { once } from '#api/platform/idempotency.ts'
import { acceptedLanguages } from '#contract/accept-language.ts'

/** The caller's preferred language, or the store's own. */
const localeOf = ({ headers, customer }: CallContext) =>
  acceptedLanguages(headers.get('accept-language'))[0] ?? customer.settings.base.locale

export const commerceProcedures = {
  cart: os.commerce.cart.handler(({ context }) => transact(context, getCart)),
  addToCart: os.commerce.addToCart.handler(({ context, input }) =>
    transact(withGuest(context), (ctx) => addToCart(ctx, input)),
  ),
  changeCartItem: os.commerce.changeCartItem.handler(({ context, input }) =>
    transact(withGuest(context), (ctx) => changeLine(ctx, input)),
  ),
  removeCartItem: os.commerce.removeCartItem.handler(({ context, input }) =>
    transact(withGuest(context), (ctx) => removeLine(ctx, input)),
  ),

  placeOrder: os.commerce.placeOrder.handler(({ context, input }) =>
    once(context, 'placeOrder', input, () =>
      limited(context, context.deps.limits.orderDrafts, () =>
        transactAsMember(context, (ctx) => placeOrder(ctx, input)),
      ),
    ),
  ),
  orders: os.commerce.orders.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => listOrders(ctx, input)),
  ),
  order: os.commerce.order.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => getOrder(ctx, input.code)),
  ),
  requestCancel: os.commerce.requestCancel.handler(({ context, input }) =>
    once(context, 'requestCancel', input, async () => unwrap(await requestCancel(memberPaymentEnv(context), input))),
  ),
  withdrawCancelRequest: os.commerce.withdrawCancelRequest.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => withdrawCancelRequest(ctx, input.code)),
  ),
  setRefundAccount: os.commerce.setRefundAccount.handler(({ context, input }) =>
    once(context, 'setRefundAccount', input, async () =>
      unwrap(await setRefundAccount(memberPaymentEnv(context), input.code, input.refundAccount)),
    ),
  ),
  receipt: os.commerce.receipt.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => getReceipt(ctx, input.code)),
  ),
  receiptPdf: os.commerce.receiptPdf.handler(async ({ context, input }) => {
    const receipt = await transactAsMember(context, (ctx) => getReceipt(ctx, input.code))
    const pdf = await receiptPdf(receipt, input.lang ?? callerLocale(context), context.customer.settings.base)
    return new File([new Uint8Array(pdf)], `receipt-${receipt.number}.pdf`, { type: 'application/pdf' })
  }),
  startPayment: os.commerce.startPayment.handler(({ context, input }) =>
    once(context, 'startPayment', input, async () =>
      unwrap(await startPayment(memberPaymentEnv(context), { ...input, locale: localeOf(context) })),
    ),
  ),
  confirmPayment: os.commerce.confirmPayment.handler(async ({ context, input }) =>
    unwrap(await confirmPayment(memberPaymentEnv(context), input.id)),
  ),
}
