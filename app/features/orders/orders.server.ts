import * as z from 'zod/mini'
import { type PaymentMethod, paymentMethod } from '#contract/enumerations.ts'
import { idempotencyKey, type OrderCode, orderItemId } from '#contract/ids.ts'
import { type cancelRequest, refundAccount, type refundAccountInput } from '#contract/orders.ts'
import { type CustomerApi, problemFromError } from '~/platform/api/client'
import { requestTimeout } from '~/platform/constants'
import { isSameOrigin, readForm } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'
import { readOrderCode } from './orders.search'

/** Each write is made under a key of its own attempt: sent again, it answers the same and moves nothing twice. */
const once = (attempt: string, what: string) => ({ context: { idempotencyKey: `${attempt}-${what}` } })

interface PayAgain {
  attempt: string
  code: OrderCode
  method: PaymentMethod
}

export const payAgain = (api: CustomerApi, { attempt, code, method }: PayAgain) =>
  api.commerce.startPayment({ code, method, returnUrl: '/payments/result' }, once(attempt, 'payment'))

interface Cancel {
  attempt: string
  request: z.output<typeof cancelRequest>
}

export const cancelOrder = (api: CustomerApi, { attempt, request }: Cancel) =>
  api.commerce.requestCancel(request, once(attempt, 'cancel'))

interface RefundAccountForm {
  attempt: string
  account: z.output<typeof refundAccountInput>
}

export const submitRefundAccount = (api: CustomerApi, { attempt, account }: RefundAccountForm) =>
  api.commerce.setRefundAccount(account, once(attempt, 'account'))

/** What the forms of an order's page send where no script runs. */
const orderForm = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('pay'), attempt: idempotencyKey, method: paymentMethod }),
  z.object({ intent: z.literal('take-back') }),
  z.object({ intent: z.literal('account'), attempt: idempotencyKey, refundAccount }),
  z.object({
    intent: z.literal('cancel'),
    attempt: idempotencyKey,
    reason: z.string(),
    more: z.string(),
    itemIds: z.array(orderItemId),
    refundAccount: z.optional(refundAccount),
  }),
])
type OrderForm = z.output<typeof orderForm>

/** Answers a real form post of an order's page: does it, then leads on or shows the order. A refusal is told there by its code. */
export async function handleOrderForm(
  request: Request,
  named: string,
  requestContext: RequestContext,
): Promise<Response> {
  if (!isSameOrigin(request)) return new Response('This form is answered only to pages of this store.', { status: 403 })
  const code = readOrderCode(named)
  if (!code) return seeOther('/mypages/order-histories')
  const page = `/mypages/order-histories/${code}`
  const fields = await readForm(request)
  const sent = orderForm.safeParse(fields && unfold(fields))
  if (!sent.success) return seeOther(`${page}?problem=VALIDATION_FAILED`)
  try {
    return seeOther((await execute(requestContext.api, code, sent.data)) ?? page)
  } catch (error) {
    const problem = problemFromError(error, requestContext.requestId)
    if (problem) return seeOther(`${page}?problem=${encodeURIComponent(problem.code)}`)
    throw error
  }
}

/** The fields by name; an account only where one was written. */
function unfold(fields: FormData) {
  const { bank, number, holder } = Object.fromEntries(fields)
  return {
    ...Object.fromEntries(fields),
    itemIds: fields.getAll('itemIds'),
    ...(bank || number || holder ? { refundAccount: { bank, number, holder } } : {}),
  }
}

/** Answers where the browser goes next, where it is not the order's page. */
async function execute(api: CustomerApi, code: OrderCode, form: OrderForm): Promise<string | undefined> {
  switch (form.intent) {
    case 'pay':
      return (await payAgain(api, { attempt: form.attempt, code, method: form.method })).redirectUrl
    case 'take-back':
      await api.commerce.withdrawCancelRequest({ code })
      return undefined
    case 'account':
      await submitRefundAccount(api, { attempt: form.attempt, account: { code, refundAccount: form.refundAccount } })
      return undefined
    case 'cancel': {
      const reason = [form.reason, form.more].map((part) => part.trim()).filter(Boolean)
      const request = {
        code,
        reason: reason.join('\n'),
        ...(form.itemIds.length > 0 && { itemIds: form.itemIds }),
        ...(form.refundAccount && { refundAccount: form.refundAccount }),
      }
      await cancelOrder(api, { attempt: form.attempt, request })
      return undefined
    }
    default:
      return form satisfies never
  }
}

/** Reloading the next page sends nothing twice. */
const seeOther = (location: string) => new Response(null, { status: 303, headers: { location } })

/** What of the API's answer a browser is told. */
const kept = ['content-type', 'content-length', 'content-disposition']

/** Answers the receipt as PDF, in the page's language, as the API makes it; a guest is asked to sign in. */
export async function answerReceiptPdf(named: string, requestContext: RequestContext): Promise<Response> {
  const code = readOrderCode(named)
  if (!code) return new Response('There is no such receipt.', { status: 404 })
  const page = `/mypages/order-histories/${code}/receipt`
  if (!requestContext.hasToken) return leadTo(`/login?redirect=${encodeURIComponent(page)}`)
  const answer = await requestContext.apiProxy(`/orders/${code}/receipt.pdf?lang=${requestContext.locale}`, {
    signal: AbortSignal.timeout(requestTimeout),
  })
  // What there is to say about a receipt that cannot be had, its page says.
  if (!answer.ok) return leadTo(page)
  const headers = new Headers({ 'cache-control': 'private, no-store' })
  for (const name of kept) {
    const value = answer.headers.get(name)
    if (value) headers.set(name, value)
  }
  return new Response(answer.body, { headers })
}

const leadTo = (location: string) =>
  new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
