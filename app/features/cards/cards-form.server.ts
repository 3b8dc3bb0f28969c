import * as z from 'zod/mini'
import { type CardId, cardId, idempotencyKey } from '#contract/ids.ts'
import { type CustomerApi, problemFromError } from '~/platform/api/client'
import { isSameOrigin, readForm } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'

interface Registration {
  attempt: string
  replaces?: CardId | undefined
}

/** Begins to register a card, once per attempt. The provider sends the browser back to the member's cards. */
export const register = (api: CustomerApi, { attempt, replaces }: Registration) =>
  api.cards.registerCard(
    { returnUrl: '/mypages/cards', ...(replaces && { replaces }) },
    { context: { idempotencyKey: `${attempt}-card` } },
  )

/** What the forms of the cards' page send where no script runs. */
const cardsForm = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('register'), attempt: idempotencyKey, replaces: z.optional(cardId) }),
  z.object({ intent: z.literal('default'), id: cardId }),
  z.object({ intent: z.literal('remove'), id: cardId }),
])

const here = '/mypages/cards'

/** Answers a real form post of the cards' page: does it, then leads to the provider or back to the cards. */
export async function handleCardsForm(request: Request, requestContext: RequestContext): Promise<Response> {
  if (!isSameOrigin(request)) return new Response('This form is answered only to pages of this store.', { status: 403 })
  const sent = cardsForm.safeParse(Object.fromEntries((await readForm(request)) ?? []))
  if (!sent.success) return seeOther(`${here}?problem=BAD_REQUEST`)
  try {
    return seeOther(await execute(sent.data, requestContext.api))
  } catch (error) {
    const problem = problemFromError(error, requestContext.requestId)
    if (problem) return seeOther(`${here}?problem=${problem.code}`)
    throw error
  }
}

/** Where to go next. */
async function execute(form: z.output<typeof cardsForm>, api: CustomerApi): Promise<string> {
  switch (form.intent) {
    case 'register':
      return (await register(api, form)).redirectUrl
    case 'default':
      await api.cards.makeDefault({ id: form.id })
      return `${here}?done=default`
    case 'remove':
      await api.cards.removeCard({ id: form.id })
      return `${here}?done=removed`
    default:
      return form satisfies never
  }
}

/** Reloading the next page sends nothing twice. */
const seeOther = (location: string) => new Response(null, { status: 303, headers: { location } })
