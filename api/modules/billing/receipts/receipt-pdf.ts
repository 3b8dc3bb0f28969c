import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import type { Receipt } from '#contract/billing.ts'
import { formatDateTime } from '#contract/dates.ts'
import { directionOf } from '#contract/direction.ts'
import type { Locale, PaymentMethod } from '#contract/enumerations.ts'
import { type Money, moneyText } from '#contract/money.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { breakable, type FontName, fontFiles, type HasGlyph, isolated, runsOf } from './fonts.ts'

interface FontInside {
  hasGlyphForCodePoint: (codePoint: number) => boolean
}

const margin = 56
const ink = '#1f2430'

interface TextLook {
  size?: number
  colour?: string
  /** Aligns at the end of the line: right, or left in right-to-left languages. */
  end?: boolean
}

/**
 * An A4 document in one language. Text starts at the reader's side, wraps into lines and uses
 * whichever fonts it needs.
 */
interface PdfLayout {
  width: number
  /**
   * Writes between the columns `from` and `to`, fractions of the width from the reader's side.
   * Returns the height used.
   */
  write: (text: string, y: number, columns: { from: number; to: number }, look?: TextLook) => number
  rule: (y: number, colour?: string) => void
  /** Adds a page if less than `height` is left below `y`. Returns where to continue. */
  ensureSpace: (y: number, height: number) => number
  hasGlyph: (text: string) => boolean
  end: () => Promise<Buffer>
}

/** Creates a document. `about` is its metadata. */
const createPdfLayout = async (
  locale: Locale,
  about: { title: string; author: string; at: Date },
): Promise<PdfLayout> => {
  // Loaded with the first receipt: the library takes 20 MB.
  const { default: PDFDocument } = await import('pdfkit')
  const doc = new PDFDocument({
    size: 'A4',
    margin,
    lang: locale,
    info: { Title: about.title, Author: about.author, CreationDate: about.at, ModDate: about.at },
  })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  const inside = new Map<FontName, FontInside>()
  for (const [name, file] of fontFiles()) {
    doc.registerFont(name, file)
    doc.font(name)
    // The type does not declare the font that `font` has selected.
    inside.set(name, (doc as unknown as { _font: { font: FontInside } })._font.font)
  }
  const hasGlyph: HasGlyph = (font, codePoint) => inside.get(font)?.hasGlyphForCodePoint(codePoint) ?? false
  const rightToLeft = directionOf(locale) === 'rtl'
  const width = doc.page.width - 2 * margin

  // Requesting features prevents splitting a run by words, which would reorder right-to-left text.
  const whole: { features: PDFKit.Mixins.OpenTypeFeatures[] } = { features: [] }
  const widthOf = (line: string, size: number) =>
    runsOf(line, locale, hasGlyph).reduce((sum, run) => {
      return sum + doc.font(run.font).fontSize(size).widthOfString(run.text, whole)
    }, 0)

  const linesOf = (text: string, size: number, maxWidth: number): string[] => {
    const lines: string[] = []
    let line = ''
    for (const part of breakable(text.replace(/\s+/g, ' ').trim())) {
      if (line !== '' && widthOf((line + part).trimEnd(), size) > maxWidth) {
        lines.push(line.trimEnd())
        line = ''
      }
      line += part
    }
    return [...lines, line.trimEnd()]
  }

  return {
    width,
    write: (text, y, { from, to }, { size = 10, colour = ink, end = false } = {}) => {
      const [left, right] = rightToLeft ? [1 - to, 1 - from] : [from, to]
      const maxWidth = (right - left) * width
      const atRight = end !== rightToLeft
      const height = size * 1.5
      const lines = linesOf(text, size, maxWidth)
      for (const [index, line] of lines.entries()) {
        let x = margin + left * width + (atRight ? maxWidth - widthOf(line, size) : 0)
        for (const run of runsOf(line, locale, hasGlyph)) {
          doc.font(run.font).fontSize(size).fillColor(colour)
          doc.text(run.text, x, y + index * height + size, { ...whole, lineBreak: false, baseline: 'alphabetic' })
          x += doc.widthOfString(run.text, whole)
        }
      }
      return lines.length * height
    },
    rule: (y, colour = '#d3d8e0') => {
      doc
        .moveTo(margin, y)
        .lineTo(margin + width, y)
        .lineWidth(0.75)
        .strokeColor(colour)
        .stroke()
    },
    ensureSpace: (y, height) => {
      if (y + height <= doc.page.height - margin) return y
      doc.addPage()
      return margin
    },
    hasGlyph: (text) =>
      [...text].every((character) => [...inside.keys()].some((font) => hasGlyph(font, character.codePointAt(0) ?? 0))),
    end: () => {
      doc.end()
      return done
    },
  }
}

const soft = '#5b6372'
const left = { from: 0, to: 0.48 }
const right = { from: 0.52, to: 1 }
const whole = { from: 0, to: 1 }

/**
 * Formats an amount in the reader's language, with the currency code if no font contains the
 * symbol.
 */
const moneyIn = (locale: Locale, hasGlyph: PdfLayout['hasGlyph']) => (money: Money) => {
  // Latin digits in Arabic too, as in the storefront's prices and on bank statements.
  const text = (display: 'narrowSymbol' | 'code') =>
    moneyText(money, `${locale}-u-nu-latn`, display).replace(/[\u200e\u200f]/g, '')
  const signed = text('narrowSymbol')
  return isolated(hasGlyph(signed) ? signed : text('code'))
}

const methodLabel = (i18n: I18n, method: PaymentMethod) =>
  method === 'CARD' ? i18n._('Card', {}, { context: 'payment method' }) : i18n._('Bank transfer')

const paidWith = ({ order }: Receipt, i18n: I18n) => {
  if (order.total.amount === 0) return i18n._('No charge')
  const { card, account, method } = order.payment ?? {}
  if (card) return `${methodLabel(i18n, 'CARD')} · ${isolated(`${card.issuer} ${card.lastFour}`)}`
  if (account) return `${methodLabel(i18n, 'BANK')} · ${isolated(`${account.bank} ${account.number}`)}`
  return method ? methodLabel(i18n, method) : ''
}

/** Returns a receipt as a PDF (A4) in one language, with the store's time zone and date format. */
export const receiptPdf = async (
  receipt: Receipt,
  locale: Locale,
  { timeZone, dateFormat }: Pick<SiteSettings['base'], 'timeZone' | 'dateFormat'>,
): Promise<Buffer> => {
  const { order, buyer, seller } = receipt
  const i18n = messagesOf(locale)
  const layout = await createPdfLayout(locale, {
    title: `${i18n._('Receipt')} ${receipt.number}`,
    author: seller.company ?? seller.name,
    at: new Date(receipt.issuedAt),
  })
  const money = moneyIn(locale, layout.hasGlyph)
  const timeText = (iso: string) => isolated(formatDateTime(iso, timeZone, dateFormat))
  const row = (y: number, label: string, value: string, look: TextLook = {}) => {
    const height = layout.write(value, y, { from: 0.4, to: 1 }, { ...look, end: true })
    return y + Math.max(height, layout.write(label, y, { from: 0, to: 0.38 }, { ...look, colour: look.colour ?? soft }))
  }

  let y = margin
  y += layout.write(seller.name, y, whole, { size: 11, colour: soft }) + 4
  y += layout.write(i18n._('Receipt'), y, whole, { size: 24 }) + 14
  y = row(y, i18n._('Order number'), isolated(receipt.number))
  if (order.paidAt) y = row(y, i18n._('Payment date', {}, { context: 'receipt' }), timeText(order.paidAt))
  y = row(y, i18n._('Payment method'), paidWith(receipt, i18n))
  y = row(y, i18n._('Date issued'), timeText(receipt.issuedAt)) + 18

  y = writeParties(layout, y, receipt, i18n, buyer) + 20
  layout.write(i18n._('Item'), y, { from: 0, to: 0.7 }, { size: 9, colour: soft })
  y += layout.write(i18n._('Price'), y, { from: 0.72, to: 1 }, { size: 9, colour: soft, end: true }) + 4
  layout.rule(y)
  y += 8
  for (const item of order.items) {
    y = layout.ensureSpace(y, 60)
    const name = `${isolated(item.product.title)} · ${isolated(item.optionName)}${item.refunded ? ` (${i18n._('refunded')})` : ''}`
    const colour = item.refunded ? soft : undefined
    const look = colour ? { colour } : {}
    const height = layout.write(name, y, { from: 0, to: 0.7 }, look)
    layout.write(money(item.price), y, { from: 0.72, to: 1 }, { ...look, end: true })
    y += height + 6
    layout.rule(y, '#e4e7ec')
    y += 8
  }
  y = layout.ensureSpace(y, 90)
  y = row(y, i18n._('Total'), money(order.total), { size: 12 })
  if (order.refundedAmount.amount > 0) {
    y = row(y, i18n._('Refunded'), money({ ...order.refundedAmount, amount: -order.refundedAmount.amount }))
    const netAmount = order.total.amount - order.refundedAmount.amount
    y = row(y, i18n._('Net amount paid'), money({ ...order.total, amount: netAmount }), { size: 12 })
  }
  if (order.status === 'CANCEL_COMPLETE')
    layout.write(i18n._('This order was canceled and refunded.'), y + 10, whole, { colour: soft })
  return layout.end()
}

/** Writes both parties next to each other. Returns where the longer column ends. */
const writeParties = (layout: PdfLayout, y: number, { seller }: Receipt, i18n: I18n, buyer: Receipt['buyer']) => {
  const column = (columns: typeof left, heading: string, lines: (string | null)[]) => {
    let at = y + layout.write(heading, y, columns, { size: 9, colour: soft }) + 2
    for (const line of lines) if (line) at += layout.write(isolated(line), at, columns)
    return at
  }
  const named = (label: string, value: string | null) => value && `${label}: ${isolated(value)}`
  return Math.max(
    column(left, i18n._('Seller'), [
      seller.company ?? seller.name,
      named(i18n._('Representative'), seller.representative),
      named(i18n._('Registration number'), seller.registrationNumber),
      seller.address,
      seller.phone,
      seller.email,
    ]),
    column(right, i18n._('Purchased by'), [buyer.name, buyer.email]),
  )
}
