import { type AcceptedCard, type CardField, type CardForm, readCard } from './cards.ts'

/** How a card that is left with the sandbox behaves: when it is registered, and when it is charged later. */
export type StoredBehaviour =
  | 'SUCCESS'
  | 'CHALLENGE'
  | 'DECLINED'
  | 'DECLINED_LATER'
  | 'INSUFFICIENT_FUNDS'
  | 'RENEWALS_DECLINED'
  | 'RECOVERS'
  | 'TIMEOUT_AFTER_CHARGE'
  | 'LATE_WEBHOOK'
  | 'EXPIRES_SOON'

export const storedCards = [
  { number: '4242424242424242', behaviour: 'SUCCESS' },
  { number: '4000000000003220', behaviour: 'CHALLENGE' },
  { number: '4000000000000002', behaviour: 'DECLINED' },
  { number: '4000000000000341', behaviour: 'DECLINED_LATER' },
  { number: '4000000000009995', behaviour: 'INSUFFICIENT_FUNDS' },
  { number: '4000000000000705', behaviour: 'RENEWALS_DECLINED' },
  { number: '4000000000000804', behaviour: 'RECOVERS' },
  { number: '4000000000000119', behaviour: 'TIMEOUT_AFTER_CHARGE' },
  { number: '4000000000000259', behaviour: 'LATE_WEBHOOK' },
  { number: '4000000000000903', behaviour: 'EXPIRES_SOON' },
] as const satisfies readonly { number: string; behaviour: StoredBehaviour }[]

/** How many charges after its first a card that recovers declines. */
export const declinesBeforeRecovery = 2

export interface StoredCard extends Pick<AcceptedCard, 'issuer' | 'lastFour'> {
  behaviour: StoredBehaviour
  expiryMonth: number
  expiryYear: number
}

/** Reads the form of a card that is to be kept: what may be kept of it, or the fields that are wrong. Cards not on the list are declined. */
export const readStoredCard = (form: CardForm, now: Date): StoredCard | { wrong: CardField[] } => {
  const accepted = readCard(form, now)
  if ('wrong' in accepted) return accepted
  const number = form.number.replace(/[\s-]/g, '')
  const behaviour = storedCards.find((card) => card.number === number)?.behaviour ?? 'DECLINED'
  const { issuer, lastFour } = accepted
  if (behaviour === 'EXPIRES_SOON')
    return { issuer, lastFour, behaviour, expiryMonth: now.getUTCMonth() + 1, expiryYear: now.getUTCFullYear() }
  const [, month, year] = form.expiry.trim().match(/^(\d{1,2})\s*[/-]?\s*(?:20)?(\d{2})$/) ?? []
  return { issuer, lastFour, behaviour, expiryMonth: Number(month), expiryYear: 2000 + Number(year) }
}

/** What comes of a charge: null where it is paid, else the provider's word for why not. `before` counts the card's earlier charges. */
export const declineOf = (
  card: { behaviour: StoredBehaviour; expiryMonth: number; expiryYear: number },
  before: number,
  now: Date,
): string | null => {
  // Good until the last day of its month, anywhere on earth.
  if (Date.UTC(card.expiryYear, card.expiryMonth, 1, 12) <= now.getTime()) return 'CARD_EXPIRED'
  switch (card.behaviour) {
    case 'DECLINED':
    case 'DECLINED_LATER':
      return 'CARD_DECLINED'
    case 'INSUFFICIENT_FUNDS':
      return 'INSUFFICIENT_FUNDS'
    case 'RENEWALS_DECLINED':
      return before > 0 ? 'CARD_DECLINED' : null
    case 'RECOVERS':
      return before > 0 && before <= declinesBeforeRecovery ? 'INSUFFICIENT_FUNDS' : null
    case 'SUCCESS':
    case 'CHALLENGE':
    case 'TIMEOUT_AFTER_CHARGE':
    case 'LATE_WEBHOOK':
    case 'EXPIRES_SOON':
      return null
    default:
      return card.behaviour satisfies never
  }
}
