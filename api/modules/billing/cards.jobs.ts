import { cardExpiringMail } from '#api/modules/billing/mails/receipts.ts'
import { queueMemberMail } from '#api/modules/identity/member-mail.ts'
import { decrypt, encrypt } from '#api/platform/crypto.ts'
import { failRegistration } from './card-registration.ts'
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
import { callProvider, monthAt, settleCard, vaultOf } from './cards.ts'
import { atProvider, calculateNextCheck, merchantOf, type PaymentEnv } from './payment-states.ts'

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
export const maintainCards = async (env: PaymentEnv): Promise<void> => {
  const at = env.clock.now()
  const now = at.getTime()
  const waiting = await env.inTransaction(({ db, customer }) =>
    waitingCards(db, customer.id, new Date(now - staleAfter), at, batchSize),
  )
  for (const card of waiting) await runIsolated(env, card, () => settle(env, card, now))
  const left = await env.inTransaction(({ db, customer }) => abandonedCards(db, customer.id, at, batchSize))
  for (const card of left) await runIsolated(env, card, () => removeAbandonedCard(env, card))
  const removedCards = await env.inTransaction(({ db, customer }) => cardsToForget(db, customer.id, batchSize))
  for (const card of removedCards) await runIsolated(env, card, () => forget(env, card))
  await notifyExpiringCards(env)
}

const settle = async (env: PaymentEnv, { id, createdAt, memberId }: CardRow, now: number) => {
  const card = await settleCard(env, id)
  if (card?.status !== 'READY') return
  const isLeft = now - Date.parse(createdAt) >= abandonedAfter
  await env.inTransaction(async (ctx) => {
    await lockPayer(ctx.db, memberId)
    const open = await findCard(ctx.db, ctx.customer.id, id)
    if (open?.status !== 'READY') return
    if (isLeft) await failRegistration(ctx, open, 'ABANDONED')
    else await updateCard(ctx.db, open, { nextCheckAt: calculateNextCheck(ctx.clock.now(), createdAt) })
  })
}

/**
 * Queries a registration that was closed here. A card that the provider stored afterwards is
 * treated as removed.
 */
const removeAbandonedCard = async (env: PaymentEnv, card: CardRow) => {
  const result = await callProvider(env, { cardId: card.id }, () =>
    vaultOf(atProvider(env, card)).query(merchantOf(env), card.id),
  )
  await env.inTransaction(async ({ db, clock }) => {
    const now = clock.now()
    const removed = { status: 'REMOVED' as const, removedAt: card.removedAt ?? now.toISOString(), nextCheckAt: null }
    if (result?.answer?.card)
      return updateCard(db, card, { ...removed, token: encrypt(env.encryptionSecret, result.answer.card.token) })
    const isOver = result?.answer?.status === 'FAILED' || now.getTime() - Date.parse(card.createdAt) > pageLife
    return updateCard(db, card, { nextCheckAt: isOver ? null : calculateNextCheck(now, card.createdAt) })
  })
}

const forget = async (env: PaymentEnv, card: CardRow) => {
  const token = decrypt(env.encryptionSecret, card.token ?? '')
  const result = await callProvider(env, { cardId: card.id }, () =>
    vaultOf(atProvider(env, card)).remove(merchantOf(env), token),
  )
  if (result) await env.inTransaction(({ db }) => updateCard(db, card, { token: null }))
}

/** Each card is announced once: in the month before its last month, or in its last month. */
const notifyExpiringCards = (env: PaymentEnv) =>
  env.inTransaction(async (ctx) => {
    const { timeZone } = ctx.customer.settings.base
    const nextMonth = monthAt(ctx.clock.now(), timeZone) + 1
    for (const card of await expiringCards(ctx.db, ctx.customer.id, nextMonth, batchSize)) {
      const [month, year] = [card.expiryMonth ?? 0, card.expiryYear ?? 0]
      await queueMemberMail(ctx, card.memberId, {
        template: cardExpiringMail,
        once: `card-expiring:${card.id}`,
        data: {
          card: `${card.issuer} ${card.lastFour}`,
          expiry: `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`,
        },
      })
    }
  })

const runIsolated = async (env: PaymentEnv, { id }: CardRow, work: () => Promise<unknown>) => {
  try {
    await work()
  } catch (error) {
    env.log.error({ err: error, cardId: id }, 'The maintenance of a card failed')
  }
}
