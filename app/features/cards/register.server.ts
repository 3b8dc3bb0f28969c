import type { CardId } from '#contract/ids.ts'
import type { CustomerApi } from '~/platform/api/client'

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
