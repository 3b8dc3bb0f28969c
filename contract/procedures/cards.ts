import * as z from 'zod/mini'
import { card, cardConfirmed, cardPath, cardRegister, cardRegistering } from '../cards.ts'
import { procedure } from './procedure.ts'

const tag = 'Cards'

export const cardProcedures = {
  cards: procedure('member', 'GET', '/cards', { tag, summary: 'Registered cards, the default first' }).output(
    z.object({ items: z.array(card) }),
  ),
  registerCard: procedure('member', 'POST', '/cards', {
    tag,
    summary: 'Begin to register a card: answers where the browser goes',
    status: 201,
    idempotent: true,
  })
    .input(cardRegister)
    .output(cardRegistering),
  confirmCard: procedure('member', 'POST', '/cards/{id}/confirm', {
    tag,
    summary: 'Ask the provider whether the card is registered',
    description: 'Safe to repeat. A card that replaces another takes over its default and its subscription.',
  })
    .input(cardPath)
    .output(cardConfirmed),
  makeDefault: procedure('member', 'PUT', '/cards/{id}/default', { tag, summary: 'Pay with this one from now on' })
    .input(cardPath)
    .output(card),
  removeCard: procedure('member', 'DELETE', '/cards/{id}', {
    tag,
    summary: 'Remove a card',
    description: 'CARD_NEEDED for the last card of a subscription that stands: it may be replaced.',
    status: 204,
  }).input(cardPath),
}
