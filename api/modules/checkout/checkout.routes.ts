import { getOrder, listOrders, viewOrder } from '#api/modules/billing/orders.ts'
import { memberPaymentEnv } from '#api/modules/billing/payment-states.ts'
import { confirmPayment, startPayment } from '#api/modules/billing/payments.ts'
import { receiptPdf } from '#api/modules/billing/receipts/receipt-pdf.ts'
import { getReceipt } from '#api/modules/billing/receipts.ts'
import { requestCancel, setRefundAccount, withdrawCancelRequest } from '#api/modules/billing/refund-requests.ts'
import { addToCart, changeLine, getCart, removeLine } from '#api/modules/orders/cart.ts'
import { placeOrder } from '#api/modules/orders/orders.ts'
import { isFailure } from '#api/platform/context.ts'
import {
  type CallContext,
  os,
  transact,
  transactAsMember,
  transactAsVisitor,
  unwrap,
} from '#api/platform/http/procedures.ts'
import { limited } from '#api/platform/http/request-facts.ts'
import { callerLocale } from '#api/platform/i18n/translations.ts'
import { once } from '#api/platform/idempotency.ts'
import { acceptedLanguages } from '#contract/accept-language.ts'

/** The caller's preferred language, or the store's own. */
const localeOf = ({ headers, customer }: CallContext) =>
  acceptedLanguages(headers.get('accept-language'))[0] ?? customer.settings.base.locale

export const checkoutProcedures = {
  cart: os.checkout.cart.handler(({ context }) => transact(context, getCart)),
  addToCart: os.checkout.addToCart.handler(({ context, input }) =>
    transactAsVisitor(context, (ctx) => addToCart(ctx, input)),
  ),
  changeCartItem: os.checkout.changeCartItem.handler(({ context, input }) =>
    transactAsVisitor(context, (ctx) => changeLine(ctx, input)),
  ),
  removeCartItem: os.checkout.removeCartItem.handler(({ context, input }) =>
    transactAsVisitor(context, (ctx) => removeLine(ctx, input)),
  ),

  placeOrder: os.checkout.placeOrder.handler(({ context, input }) =>
    once(context, 'placeOrder', input, () =>
      limited(context, context.deps.limits.orderDrafts, () =>
        transactAsMember(context, async (ctx) => {
          const order = await placeOrder(ctx, input)
          return isFailure(order) ? order : viewOrder(ctx, order)
        }),
      ),
    ),
  ),
  orders: os.checkout.orders.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => listOrders(ctx, input)),
  ),
  order: os.checkout.order.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => getOrder(ctx, input.code)),
  ),
  requestCancel: os.checkout.requestCancel.handler(({ context, input }) =>
    once(context, 'requestCancel', input, async () => unwrap(await requestCancel(memberPaymentEnv(context), input))),
  ),
  withdrawCancelRequest: os.checkout.withdrawCancelRequest.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => withdrawCancelRequest(ctx, input.code)),
  ),
  setRefundAccount: os.checkout.setRefundAccount.handler(({ context, input }) =>
    once(context, 'setRefundAccount', input, async () =>
      unwrap(await setRefundAccount(memberPaymentEnv(context), input.code, input.refundAccount)),
    ),
  ),
  receipt: os.checkout.receipt.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => getReceipt(ctx, input.code)),
  ),
  receiptPdf: os.checkout.receiptPdf.handler(async ({ context, input }) => {
    const receipt = await transactAsMember(context, (ctx) => getReceipt(ctx, input.code))
    const pdf = await receiptPdf(receipt, input.lang ?? callerLocale(context), context.customer.settings.base)
    return new File([new Uint8Array(pdf)], `receipt-${receipt.number}.pdf`, { type: 'application/pdf' })
  }),
  startPayment: os.checkout.startPayment.handler(({ context, input }) =>
    once(context, 'startPayment', input, async () =>
      unwrap(await startPayment(memberPaymentEnv(context), { ...input, locale: localeOf(context) })),
    ),
  ),
  confirmPayment: os.checkout.confirmPayment.handler(async ({ context, input }) =>
    unwrap(await confirmPayment(memberPaymentEnv(context), input.id)),
  ),
}
