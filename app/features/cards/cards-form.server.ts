import * as z from 'zod/mini'
import { cardId } from '#contract/ids.ts'
import { attemptKey } from '~/platform/api/attempt-key.server'
import { type CustomerApi, problemFromError } from '~/platform/api/client'
import { readForm } from '~/platform/request/read-form'
import { isSameOrigin } from '~/platform/request/same-origin'
import type { Visit } from '~/platform/request/visit'
import { register } from './register.server'

/** What the forms of the cards' page send where no script runs. */
const cardsForm = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('register'), attempt: attemptKey, replaces: z.optional(cardId) }),
  z.object({ intent: z.literal('default'), id: cardId }),
  z.object({ intent: z.literal('remove'), id: cardId }),
])

const here = '/mypages/cards'

/** Answers a real form post of the cards' page: does it, then leads to the provider or back to the cards. */
export async function handleCardsForm(request: Request, visit: Visit): Promise<Response> {
  if (!isSameOrigin(request)) return new Response('This form is answered only to pages of this store.', { status: 403 })
  const sent = cardsForm.safeParse(Object.fromEntries((await readForm(request)) ?? []))
  if (!sent.success) return seeOther(`${here}?problem=BAD_REQUEST`)
  try {
    return seeOther(await carryOut(sent.data, visit.api))
  } catch (error) {
    const problem = problemFromError(error, visit.requestId)
    if (problem) return seeOther(`${here}?problem=${problem.code}`)
    throw error
  }
}

/** Where to go next. */
async function carryOut(form: z.output<typeof cardsForm>, api: CustomerApi): Promise<string> {
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
