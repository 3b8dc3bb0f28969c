import * as z from 'zod/mini'
import { cartItemId, optionId, productId } from '#contract/ids.ts'
import { problemFromError } from '~/platform/api/client'
import { safeReturnPath } from '~/platform/navigation/address'
import { isSameOrigin, readForm } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'

/** What the cart's forms send where no script runs. */
const cartForm = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('add'), productId, optionId }),
  z.object({ intent: z.literal('remove'), id: cartItemId }),
])

/** Answers a real form post to the cart: does it, then shows the cart. A refusal is told there by its code. */
export async function handleCartForm(request: Request, requestContext: RequestContext): Promise<Response> {
  if (!isSameOrigin(request)) return new Response('This form is answered only to pages of this store.', { status: 403 })
  const here = new URL(request.url).pathname
  const sent = cartForm.safeParse(Object.fromEntries((await readForm(request)) ?? []))
  if (!sent.success) return backTo(here, 'BAD_REQUEST')
  try {
    const form = sent.data
    if (form.intent === 'add') await requestContext.api.commerce.addToCart(form)
    else await requestContext.api.commerce.removeCartItem({ id: form.id })
    return backTo(here)
  } catch (error) {
    const problem = problemFromError(error, requestContext.requestId)
    if (problem) return backTo(here, problem.code)
    throw error
  }
}

/** See Other: reloading the next page sends nothing twice. */
function backTo(path: string, problem?: string): Response {
  const target = new URL(safeReturnPath(path) ?? '/', 'https://store.invalid')
  if (problem) target.searchParams.set('problem', problem)
  return new Response(null, { status: 303, headers: { location: target.pathname + target.search } })
}
