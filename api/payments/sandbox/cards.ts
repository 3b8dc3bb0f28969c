/** How a card of the sandbox behaves. The page shows this list; nothing else is accepted as a card. */
export type CardBehaviour =
  | 'SUCCESS'
  | 'DECLINED'
  | 'INSUFFICIENT_FUNDS'
  | 'CHALLENGE'
  | 'TIMEOUT_AFTER_CHARGE'
  | 'LATE_WEBHOOK'
  | 'DUPLICATE_WEBHOOK'
  | 'REFUND_REFUSED'

export const magicCards = [
  { number: '4242424242424242', behaviour: 'SUCCESS' },
  { number: '4000000000000002', behaviour: 'DECLINED' },
  { number: '4000000000009995', behaviour: 'INSUFFICIENT_FUNDS' },
  { number: '4000000000003220', behaviour: 'CHALLENGE' },
  { number: '4000000000000119', behaviour: 'TIMEOUT_AFTER_CHARGE' },
  { number: '4000000000000259', behaviour: 'LATE_WEBHOOK' },
  { number: '4000000000000077', behaviour: 'DUPLICATE_WEBHOOK' },
  { number: '4000000000005126', behaviour: 'REFUND_REFUSED' },
] as const satisfies readonly { number: string; behaviour: CardBehaviour }[]

/** The code of the challenge step. */
export const challengeCode = '123456'

/** Seconds until a late payment is settled at the sandbox and its webhook is sent. */
export const lateSeconds = 5

/** Seconds for which the sandbox gives no answer after a charge whose connection was lost. */
export const silentSeconds = 2

/** How many times a duplicate webhook is sent. */
export const duplicateCount = 3

export const grouped = (number: string) => number.replace(/(.{4})(?=.)/g, '$1 ')

/** The check digit every card number carries. */
export const passesLuhn = (number: string) => {
  const digits = [...number].reverse().map(Number)
  const sum = digits.reduce((total, digit, place) => {
    const doubled = place % 2 === 1 ? digit * 2 : digit
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

const issuers: readonly [RegExp, string][] = [
  [/^4/, 'Visa'],
  [/^(5[1-5]|2[2-7])/, 'Mastercard'],
  [/^3[47]/, 'American Express'],
  [/^(352[89]|35[3-8])/, 'JCB'],
  [/^6/, 'Discover'],
]
export const issuerOf = (number: string) => issuers.find(([pattern]) => pattern.test(number))?.[1] ?? 'Card'

export interface CardForm {
  number: string
  expiry: string
  cvc: string
  name: string
}
export type CardField = keyof CardForm

export interface AcceptedCard {
  issuer: string
  lastFour: string
  behaviour: CardBehaviour
}

/**
 * Reads the card form. Answers what may be kept of the card (issuer, last four) with its behaviour, or the fields that are wrong.
 * A real-looking number that is not on the list is declined, so that nobody's own card is ever taken for paid.
 */
export const readCard = (form: CardForm, now: Date): AcceptedCard | { wrong: CardField[] } => {
  const number = form.number.replace(/[\s-]/g, '')
  const wrong: CardField[] = []
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) wrong.push('number')
  if (!expiryHolds(form.expiry, now)) wrong.push('expiry')
  if (!/^\d{3,4}$/.test(form.cvc.trim())) wrong.push('cvc')
  if (form.name.trim().length < 2 || form.name.length > 100) wrong.push('name')
  if (wrong.length > 0) return { wrong }
  const behaviour = magicCards.find((card) => card.number === number)?.behaviour ?? 'DECLINED'
  return { issuer: issuerOf(number), lastFour: number.slice(-4), behaviour }
}

const expiryHolds = (text: string, now: Date) => {
  const match = text.trim().match(/^(\d{1,2})\s*[/-]?\s*(?:20)?(\d{2})$/)
  const month = Number(match?.[1])
  if (!match || month < 1 || month > 12) return false
  // Good until the last day of its month, anywhere on earth.
  return Date.UTC(2000 + Number(match[2]), month, 1, 12) > now.getTime()
}
