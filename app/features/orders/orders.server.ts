import * as z from 'zod/mini'
import { type cancelRequest, refundAccount, type refundAccountInput } from '#contract/billing.ts'
import { type PaymentMethod, paymentMethod } from '#contract/enumerations.ts'
import { idempotencyKey, type OrderCode, orderCode, orderItemId } from '#contract/ids.ts'
import type { CustomerApi } from '~/platform/api/client'
import { requestTimeout } from '~/platform/constants'
import { formAction, seeOther } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'

const withKey = (idempotencyKey: string, action: string) => ({
  context: { idempotencyKey: `${idempotencyKey}-${action}` },
})

interface PaymentInput {
  idempotencyKey: string
  code: OrderCode
  method: PaymentMethod
}

/** Begins another payment of an open order. Returns the provider's URL. */
export const payAgain = (api: CustomerApi, { idempotencyKey, code, method }: PaymentInput) =>
  api.billing.startPayment({ code, method, returnUrl: '/payments/result' }, withKey(idempotencyKey, 'payment'))

interface CancelInput {
  idempotencyKey: string
  request: z.output<typeof cancelRequest>
}

/** Cancels an order or requests a refund. Returns the updated order. */
export const cancelOrder = (api: CustomerApi, { idempotencyKey, request }: CancelInput) =>
  api.billing.requestCancel(request, withKey(idempotencyKey, 'cancel'))

interface RefundAccountInput {
  idempotencyKey: string
  account: z.output<typeof refundAccountInput>
}

/** Sets the bank account of a waiting refund. Returns the updated order. */
export const submitRefundAccount = (api: CustomerApi, { idempotencyKey, account }: RefundAccountInput) =>
  api.billing.setRefundAccount(account, withKey(idempotencyKey, 'account'))

/** The fields that the forms of an order's page post without JavaScript. */
const orderForm = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('pay'), idempotencyKey, method: paymentMethod }),
  z.object({ intent: z.literal('withdraw') }),
  z.object({ intent: z.literal('account'), idempotencyKey, refundAccount }),
  z.object({
    intent: z.literal('cancel'),
    idempotencyKey,
    reason: z.string(),
    more: z.string(),
    itemIds: z.array(orderItemId),
    refundAccount: z.optional(refundAccount),
  }),
])
type OrderForm = z.output<typeof orderForm>

/**
 * Handles a form of an order's page without JavaScript, then redirects to the page or the provider.
 */
export const handleOrderForm = (request: Request, codeParam: string, requestContext: RequestContext) =>
  formAction(request, requestContext, {
    submit: async ({ api, fields, parse, back }) => {
      const code = orderCode.safeParse(codeParam).data
      if (!code) return seeOther('/mypages/order-histories')
      const redirectUrl = await execute(api, code, parse(orderForm, unfold(fields)))
      return redirectUrl === undefined ? back() : seeOther(redirectUrl)
    },
    refuse: ({ status, code }, { back }) => back({ problem: status === 422 ? 'VALIDATION_FAILED' : code }),
  })

/** The fields by name, with the account as an object where one was entered. */
function unfold(fields: FormData) {
  const { bank, number, holder } = Object.fromEntries(fields)
  return {
    ...Object.fromEntries(fields),
    itemIds: fields.getAll('itemIds'),
    ...(bank || number || holder ? { refundAccount: { bank, number, holder } } : {}),
  }
}

/** Returns the payment provider's URL, undefined if the order's page follows. */
async function execute(api: CustomerApi, code: OrderCode, form: OrderForm): Promise<string | undefined> {
  switch (form.intent) {
    case 'pay':
      return (await payAgain(api, { idempotencyKey: form.idempotencyKey, code, method: form.method })).redirectUrl
    case 'withdraw':
      await api.billing.withdrawCancelRequest({ code })
      return undefined
    case 'account':
      await submitRefundAccount(api, {
        idempotencyKey: form.idempotencyKey,
        account: { code, refundAccount: form.refundAccount },
      })
      return undefined
    case 'cancel': {
      const reason = [form.reason, form.more].map((part) => part.trim()).filter(Boolean)
      const request = {
        code,
        reason: reason.join('\n'),
        ...(form.itemIds.length > 0 && { itemIds: form.itemIds }),
        ...(form.refundAccount && { refundAccount: form.refundAccount }),
      }
      await cancelOrder(api, { idempotencyKey: form.idempotencyKey, request })
      return undefined
    }
    default:
      return form satisfies never
  }
}

/** The headers of the API's response that the browser gets. */
const passedHeaders = ['content-type', 'content-length', 'content-disposition']

/** Returns the receipt as PDF in the page's language. Guests are redirected to the login page. */
export async function receiptPdf(codeParam: string, requestContext: RequestContext): Promise<Response> {
  const code = orderCode.safeParse(codeParam).data
  if (!code) return new Response('There is no such receipt.', { status: 404 })
  const page = `/mypages/order-histories/${code}/receipt`
  if (!requestContext.hasToken) return seeOther(`/login?redirect=${encodeURIComponent(page)}`)
  const response = await requestContext.apiProxy(`/orders/${code}/receipt.pdf?lang=${requestContext.locale}`, {
    signal: AbortSignal.timeout(requestTimeout),
  })
  // The page shows why there is no receipt.
  if (!response.ok) return seeOther(page)
  const headers = new Headers({ 'cache-control': 'private, no-store' })
  for (const name of passedHeaders) {
    const value = response.headers.get(name)
    if (value) headers.set(name, value)
  }
  return new Response(response.body, { headers })
}
