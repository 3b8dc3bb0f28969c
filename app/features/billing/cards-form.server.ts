import * as z from 'zod/mini'
import { type CardId, cardId, idempotencyKey } from '#contract/ids.ts'
import type { CustomerApi } from '~/platform/api/client'
import { formAction, seeOther } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'

interface Registration {
  idempotencyKey: string
  replaces?: CardId | undefined
}

/**
 * Begins to register a card, once per idempotency key. The provider redirects back to the cards.
 */
export const register = (api: CustomerApi, { idempotencyKey, replaces }: Registration) =>
  api.billing.registerCard(
    { returnUrl: '/mypages/cards', ...(replaces && { replaces }) },
    { context: { idempotencyKey: `${idempotencyKey}-card` } },
  )

/** The fields that the forms of the cards' page post without JavaScript. */
const cardsForm = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('register'), idempotencyKey, replaces: z.optional(cardId) }),
  z.object({ intent: z.literal('default'), id: cardId }),
  z.object({ intent: z.literal('remove'), id: cardId }),
])

/**
 * Handles a form of the cards' page without JavaScript. Redirects to the provider or to the cards.
 */
export const handleCardsForm = (request: Request, requestContext: RequestContext) =>
  formAction(request, requestContext, {
    submit: async ({ api, parse, back }) => {
      const form = parse(cardsForm)
      switch (form.intent) {
        case 'register':
          return seeOther((await register(api, form)).redirectUrl)
        case 'default':
          await api.billing.makeDefault({ id: form.id })
          return back({ done: 'default' })
        case 'remove':
          await api.billing.removeCard({ id: form.id })
          return back({ done: 'removed' })
        default:
          return form satisfies never
      }
    },
  })
