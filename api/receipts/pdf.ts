import { formatDateTime } from '#contract/dates.ts'
import type { Locale } from '#contract/enumerations.ts'
import { type Money, moneyText } from '#contract/money.ts'
import type { Receipt } from '#contract/orders.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { isolated } from './lettering.ts'
import { margin, openSheet, type Sheet, type TextLook } from './sheet.ts'
import { type ReceiptWords, receiptWords } from './words.ts'

const soft = '#5b6372'
const left = { from: 0, to: 0.48 }
const right = { from: 0.52, to: 1 }
const whole = { from: 0, to: 1 }

/** An amount in the reader's language; by its currency's code where no font here draws the sign. */
const moneyIn = (locale: Locale, holds: Sheet['holds']) => (money: Money) => {
  // Latin digits in Arabic too, as on the storefront's prices and on a bank's statement.
  const text = (display: 'narrowSymbol' | 'code') =>
    moneyText(money, `${locale}-u-nu-latn`, display).replace(/[\u200e\u200f]/g, '')
  const signed = text('narrowSymbol')
  return isolated(holds(signed) ? signed : text('code'))
}

const paidWith = ({ order }: Receipt, words: ReceiptWords) => {
  if (order.total.amount === 0) return words.free
  const { card, account, method } = order.payment ?? {}
  if (card) return `${words.CARD} · ${isolated(`${card.issuer} ${card.lastFour}`)}`
  if (account) return `${words.BANK} · ${isolated(`${account.bank} ${account.number}`)}`
  return method ? words[method] : ''
}

/** A receipt as a PDF (A4) in one language, with the store's time zone and date format. */
export const receiptPdf = (
  receipt: Receipt,
  locale: Locale,
  { timeZone, dateFormat }: Pick<SiteSettings['base'], 'timeZone' | 'dateFormat'>,
): Promise<Buffer> => {
  const { order, buyer, seller } = receipt
  const words = receiptWords[locale]
  const sheet = openSheet(locale, {
    title: `${words.title} ${receipt.number}`,
    author: seller.company ?? seller.name,
    at: new Date(receipt.issuedAt),
  })
  const money = moneyIn(locale, sheet.holds)
  const moment = (iso: string) => isolated(formatDateTime(iso, timeZone, dateFormat))
  const row = (y: number, label: string, value: string, look: TextLook = {}) => {
    const taken = sheet.write(value, y, { from: 0.4, to: 1 }, { ...look, end: true })
    return y + Math.max(taken, sheet.write(label, y, { from: 0, to: 0.38 }, { ...look, colour: look.colour ?? soft }))
  }

  let y = margin
  y += sheet.write(seller.name, y, whole, { size: 11, colour: soft }) + 4
  y += sheet.write(words.title, y, whole, { size: 24 }) + 14
  y = row(y, words.number, isolated(receipt.number))
  if (order.paidAt) y = row(y, words.paid, moment(order.paidAt))
  y = row(y, words.method, paidWith(receipt, words))
  y = row(y, words.issued, moment(receipt.issuedAt)) + 18

  y = writeParties(sheet, y, receipt, words, buyer) + 20
  sheet.write(words.product, y, { from: 0, to: 0.7 }, { size: 9, colour: soft })
  y += sheet.write(words.price, y, { from: 0.72, to: 1 }, { size: 9, colour: soft, end: true }) + 4
  sheet.rule(y)
  y += 8
  for (const item of order.items) {
    y = sheet.room(y, 60)
    const name = `${isolated(item.product.title)} · ${isolated(item.optionName)}${item.refunded ? ` (${words.sentBack})` : ''}`
    const colour = item.refunded ? soft : undefined
    const look = colour ? { colour } : {}
    const taken = sheet.write(name, y, { from: 0, to: 0.7 }, look)
    sheet.write(money(item.price), y, { from: 0.72, to: 1 }, { ...look, end: true })
    y += taken + 6
    sheet.rule(y, '#e4e7ec')
    y += 8
  }
  y = sheet.room(y, 90)
  y = row(y, words.total, money(order.total), { size: 12 })
  if (order.refundedAmount.amount > 0) {
    y = row(y, words.refunded, money({ ...order.refundedAmount, amount: -order.refundedAmount.amount }))
    const kept = order.total.amount - order.refundedAmount.amount
    y = row(y, words.kept, money({ ...order.total, amount: kept }), { size: 12 })
  }
  if (order.status === 'CANCEL_COMPLETE') sheet.write(words.cancelled, y + 10, whole, { colour: soft })
  return sheet.end()
}

/** The two sides next to each other; answers where the longer one ends. */
const writeParties = (sheet: Sheet, y: number, { seller }: Receipt, words: ReceiptWords, buyer: Receipt['buyer']) => {
  const column = (columns: typeof left, heading: string, lines: (string | null)[]) => {
    let at = y + sheet.write(heading, y, columns, { size: 9, colour: soft }) + 2
    for (const line of lines) if (line) at += sheet.write(isolated(line), at, columns)
    return at
  }
  const named = (label: string, value: string | null) => value && `${label}: ${isolated(value)}`
  return Math.max(
    column(left, words.seller, [
      seller.company ?? seller.name,
      named(words.representative, seller.representative),
      named(words.registration, seller.registrationNumber),
      seller.address,
      seller.phone,
      seller.email,
    ]),
    column(right, words.buyer, [buyer.name, buyer.email]),
  )
}
