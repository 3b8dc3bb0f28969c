import { cardExpiringMail } from '#api/modules/billing/mails/payments.ts'
import { queueMemberMail } from '#api/modules/identity/profile.ts'
import { decrypt, encrypt } from '#api/platform/crypto.ts'
import {
  abandonedCards,
  type CardRow,
  cardsToForget,
  expiringCards,
  findCard,
  lockPayer,
  updateCard,
  waitingCards,
} from './cards.queries.ts'
import { callProvider, failRegistration, monthAt, settleCard, vaultOf } from './cards.ts'
import { atProvider, calculateNextCheck, merchantOf, type PaymentCtx } from './payment-states.ts'

const batchSize = 100
/**
 * Milliseconds a member has on the provider's page before the store queries the provider itself.
 */
const staleAfter = 60_000
/** Milliseconds after which a registration counts as abandoned. */
const abandonedAfter = 30 * 60_000
/** Milliseconds. No provider page stays open for longer. */
const pageLife = 25 * 3_600_000

/**
 * Synchronizes one tenant's cards with the provider: queries open registrations, closes abandoned
 * ones, deletes removed cards at the provider and mails members whose cards expire by the end of
 * next month. Each run is bounded, and running it again is safe.
 */
export const maintainCards = async (ctx: PaymentCtx): Promise<void> => {
  const at = ctx.clock.now()
  const now = at.getTime()
  const waiting = await ctx.inTransaction(({ db, customer }) =>
    waitingCards(db, customer.id, new Date(now - staleAfter), at, batchSize),
  )
  for (const card of waiting) await runIsolated(ctx, card, () => settle(ctx, card, now))
  const abandoned = await ctx.inTransaction(({ db, customer }) => abandonedCards(db, customer.id, at, batchSize))
  for (const card of abandoned) await runIsolated(ctx, card, () => removeAbandonedCard(ctx, card))
  const removedCards = await ctx.inTransaction(({ db, customer }) => cardsToForget(db, customer.id, batchSize))
  for (const card of removedCards) await runIsolated(ctx, card, () => forget(ctx, card))
  await notifyExpiringCards(ctx)
}

const settle = async (ctx: PaymentCtx, { id, createdAt, memberId }: CardRow, now: number) => {
  const card = await settleCard(ctx, id)
  if (card?.status !== 'READY') return
  const isLeft = now - Date.parse(createdAt) >= abandonedAfter
  await ctx.inTransaction(async (tx) => {
    await lockPayer(tx.db, memberId)
    const open = await findCard(tx.db, tx.customer.id, id)
    if (open?.status !== 'READY') return
    if (isLeft) await failRegistration(tx, open, 'ABANDONED')
    else await updateCard(tx.db, open, { nextCheckAt: calculateNextCheck(tx.clock.now(), createdAt) })
  })
}

/**
 * Queries a registration that was closed here. A card that the provider stored afterwards is
 * treated as removed.
 */
const removeAbandonedCard = async (ctx: PaymentCtx, card: CardRow) => {
  const result = await callProvider(ctx, { cardId: card.id }, () =>
    vaultOf(atProvider(ctx, card)).query(merchantOf(ctx), card.id),
  )
  await ctx.inTransaction(async ({ db, clock }) => {
    const now = clock.now()
    const removed = { status: 'REMOVED' as const, removedAt: card.removedAt ?? now.toISOString(), nextCheckAt: null }
    if (result?.answer?.card)
      return updateCard(db, card, { ...removed, token: encrypt(ctx.encryptionSecret, result.answer.card.token) })
    const isOver = result?.answer?.status === 'FAILED' || now.getTime() - Date.parse(card.createdAt) > pageLife
    return updateCard(db, card, { nextCheckAt: isOver ? null : calculateNextCheck(now, card.createdAt) })
  })
}

const forget = async (ctx: PaymentCtx, card: CardRow) => {
  const token = decrypt(ctx.encryptionSecret, card.token ?? '')
  const result = await callProvider(ctx, { cardId: card.id }, () =>
    vaultOf(atProvider(ctx, card)).remove(merchantOf(ctx), token),
  )
  if (result) await ctx.inTransaction(({ db }) => updateCard(db, card, { token: null }))
}

/** Each card is announced once: in the month before its last month, or in its last month. */
const notifyExpiringCards = (ctx: PaymentCtx) =>
  ctx.inTransaction(async (tx) => {
    const { timeZone } = tx.customer.settings.base
    const nextMonth = monthAt(tx.clock.now(), timeZone) + 1
    for (const card of await expiringCards(tx.db, tx.customer.id, nextMonth, batchSize)) {
      const [month, year] = [card.expiryMonth ?? 0, card.expiryYear ?? 0]
      await queueMemberMail(tx, card.memberId, {
        template: cardExpiringMail,
        once: `card-expiring:${card.id}`,
        data: {
          card: `${card.issuer} ${card.lastFour}`,
          expiry: `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`,
        },
      })
    }
  })

const runIsolated = async (ctx: PaymentCtx, { id }: CardRow, work: () => Promise<unknown>) => {
  try {
    await work()
  } catch (error) {
    ctx.log.error({ err: error, cardId: id }, 'The maintenance of a card failed')
  }
}
