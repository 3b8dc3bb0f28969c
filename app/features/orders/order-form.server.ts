import * as z from 'zod/mini'
import { paymentMethod } from '#contract/enumerations.ts'
import { idempotencyKey, type OrderCode, orderItemId } from '#contract/ids.ts'
import { refundAccount } from '#contract/orders.ts'
import { type CustomerApi, problemFromError } from '~/platform/api/client'
import { isSameOrigin, readForm } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'
import { cancelOrder, giveAccount, payAgain } from './order-writes.server'
import { readOrderCode } from './orders.search'

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
    return seeOther((await carryOut(requestContext.api, code, sent.data)) ?? page)
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
async function carryOut(api: CustomerApi, code: OrderCode, form: OrderForm): Promise<string | undefined> {
  switch (form.intent) {
    case 'pay':
      return (await payAgain(api, { attempt: form.attempt, code, method: form.method })).redirectUrl
    case 'take-back':
      await api.commerce.withdrawCancelRequest({ code })
      return undefined
    case 'account':
      await giveAccount(api, { attempt: form.attempt, account: { code, refundAccount: form.refundAccount } })
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
