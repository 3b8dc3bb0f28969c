import { makeDefault, removeCard } from '#api/domain/cards/change-card.ts'
import { listCards } from '#api/domain/cards/list-cards.ts'
import { confirmCard, registerCard } from '#api/domain/cards/register-card.ts'
import { memberPaymentEnv, transactAsMember, unwrap } from '../call-context.ts'
import { once } from '../idempotency.ts'
import { os } from '../implementer.ts'
import { callerKey, takeSharedTicket } from '../limits.ts'
import { callerLanguage } from '../locale.ts'

export const cardCalls = {
  cards: os.cards.cards.handler(async ({ context }) => ({ items: await transactAsMember(context, listCards) })),
  registerCard: os.cards.registerCard.handler(({ context, input }) =>
    once(context, 'registerCard', input, async () => {
      await takeSharedTicket(context.deps.limits.cards, context.customer.id, callerKey(context))
      return unwrap(await registerCard(memberPaymentEnv(context), { ...input, locale: callerLanguage(context) }))
    }),
  ),
  confirmCard: os.cards.confirmCard.handler(
    async ({ context, input }) => unwrap(await confirmCard(memberPaymentEnv(context), input.id)).confirmed,
  ),
  makeDefault: os.cards.makeDefault.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => makeDefault(ctx, input.id)),
  ),
  removeCard: os.cards.removeCard.handler(async ({ context, input }) => {
    await transactAsMember(context, (ctx) => removeCard(ctx, input.id))
  }),
}
