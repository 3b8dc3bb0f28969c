import type { Ctx } from '#api/context.ts'
import type { CardRow } from '#api/db/queries/cards.ts'
import { offsetAt } from '#api/domain/orders/day.ts'
import type { Card } from '#contract/cards.ts'
import type { CardId } from '#contract/ids.ts'

/** Months since the year 0, by a time zone's calendar. */
export const monthAt = (moment: Date, timeZone: string): number => {
  const local = new Date(moment.getTime() + offsetAt(moment, timeZone))
  return local.getUTCFullYear() * 12 + local.getUTCMonth()
}

/** A card is good to the end of its month. SOON: that is this month, or the next. */
export const expiryOf = (
  card: { expiryMonth: number | null; expiryYear: number | null },
  now: Date,
  timeZone: string,
): Card['expiry'] => {
  if (card.expiryMonth === null || card.expiryYear === null) return 'GOOD'
  const left = card.expiryYear * 12 + card.expiryMonth - 1 - monthAt(now, timeZone)
  return left < 0 ? 'PAST' : left <= 1 ? 'SOON' : 'GOOD'
}

/** A card as its owner sees it; `payingCardId` is the one a standing subscription is paid by. */
export const viewCard = (
  { customer, clock }: Pick<Ctx, 'customer' | 'clock'>,
  row: CardRow,
  payingCardId: string | null,
): Card => ({
  id: row.id as CardId,
  issuer: row.issuer ?? '',
  lastFour: row.lastFour ?? '',
  expiryMonth: row.expiryMonth,
  expiryYear: row.expiryYear,
  isDefault: row.isDefault,
  expiry: expiryOf(row, clock.now(), customer.settings.base.timeZone),
  paysSubscription: row.id === payingCardId,
  createdAt: row.createdAt,
})
