import type * as z from 'zod/mini'
import type { auditEntry } from '#contract/admin/audit.ts'
import { minorDigits } from '#contract/money.ts'

export type AuditEntry = z.output<typeof auditEntry>

/** Longer values, such as the text of a page, are cut off. */
const longest = 160

/** The fields of a value; none where it is not an object. */
const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** An amount of money, null for another value. */
const moneyText = (value: unknown): string | null => {
  const { amount, currency } = fieldsOf(value)
  if (typeof amount !== 'number' || typeof currency !== 'string') return null
  const digits = minorDigits(currency)
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency}`
}

/** What an item of a list is called. */
const itemText = (item: unknown): string => {
  if (typeof item === 'string') return item
  const fields = fieldsOf(item)
  const price = moneyText(fields.price)
  if (price && typeof fields.at === 'string') return `${fields.at.slice(0, 16)}Z ${price}`
  const name = [fields.title, fields.name, fields.kind].find((each) => typeof each === 'string')
  return typeof name === 'string' ? name : JSON.stringify(item)
}

/** A value of the audit log as people read it. */
const valueText = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value) && value.length === 0) return '–'
  const listed = Array.isArray(value) ? value.map(itemText).join(' · ') : (moneyText(value) ?? JSON.stringify(value))
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : listed
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

/** `staff:kim@example.com` is kim@example.com. */
export const actorName = (actor: string) => actor.replace(/^(?:staff|operator|admin|installation):/, '')

/** The changed fields of an entry, and what its actor wrote. */
export const changesText = ({ changes, detail }: AuditEntry): string =>
  [
    ...Object.entries(changes).map(([field, { from, to }]) => `${field}: ${valueText(from)} → ${valueText(to)}`),
    ...['text', 'reason', 'note', 'reference', 'day', 'host'].flatMap((name) =>
      typeof detail[name] === 'string' ? [detail[name]] : [],
    ),
  ].join('\n')
