import { addToCart } from '#api/domain/cart/add-to-cart.ts'
import { changeLine } from '#api/domain/cart/change-line.ts'
import { getCart } from '#api/domain/cart/get-cart.ts'
import { removeLine } from '#api/domain/cart/remove-line.ts'
import { getOrder } from '#api/domain/orders/get-order.ts'
import { listOrders } from '#api/domain/orders/list-orders.ts'
import { placeOrder } from '#api/domain/orders/place-order.ts'
import { confirmPayment } from '#api/domain/payments/confirm-payment.ts'
import { startPayment } from '#api/domain/payments/start-payment.ts'
import { getReceipt } from '#api/domain/receipts/get-receipt.ts'
import { giveRefundAccount } from '#api/domain/refunds/give-refund-account.ts'
import { requestCancel } from '#api/domain/refunds/request-cancel.ts'
import { takeBackCancel } from '#api/domain/refunds/take-back-cancel.ts'
import { receiptPdf } from '#api/receipts/pdf.ts'
import { acceptedLanguages } from '#contract/accept-language.ts'
import { type CallContext, memberPaymentEnv, transact, transactAsMember, unwrap } from '../call-context.ts'
import { withGuest } from '../guest.ts'
import { once } from '../idempotency.ts'
import { os } from '../implementer.ts'
import { limited } from '../limits.ts'
import { callerLanguage } from '../locale.ts'

/** The language the caller wants most, else the store's own. */
const localeOf = ({ headers, customer }: CallContext) =>
  acceptedLanguages(headers.get('accept-language'))[0] ?? customer.settings.base.locale

export const commerceCalls = {
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
  takeBackCancel: os.commerce.takeBackCancel.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => takeBackCancel(ctx, input.code)),
  ),
  giveRefundAccount: os.commerce.giveRefundAccount.handler(({ context, input }) =>
    once(context, 'giveRefundAccount', input, async () =>
      unwrap(await giveRefundAccount(memberPaymentEnv(context), input.code, input.refundAccount)),
    ),
  ),
  receipt: os.commerce.receipt.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => getReceipt(ctx, input.code)),
  ),
  receiptPdf: os.commerce.receiptPdf.handler(async ({ context, input }) => {
    const receipt = await transactAsMember(context, (ctx) => getReceipt(ctx, input.code))
    const pdf = await receiptPdf(receipt, input.lang ?? callerLanguage(context), context.customer.settings.base)
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
