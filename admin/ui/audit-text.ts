import type * as z from 'zod/mini'
import type { auditEntry } from '#contract/admin/audit.ts'
import { orderCode } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'

export type AuditEntry = z.output<typeof auditEntry>

/** How the values of the audit log are said in the console’s language and the store’s formats. */
export interface AuditLabels {
  /** The label of a field; undefined for one without a label. */
  field: (name: string) => string | undefined
  /** The label of a value of an enumeration; undefined for another text. */
  value: (field: string, value: string) => string | undefined
  /** The name of a language; undefined for another text. */
  language: (code: string) => string | undefined
  yes: string
  no: string
  /** What stands for an object of which nothing can be read. */
  changed: string
  /** What stands for what was erased with the account of a member. */
  erased: string
  position: string
  number: (value: number) => string
  money: (value: Money) => string
  dateTime: (iso: string) => string
  day: (day: string) => string
  /** The currency of amounts without one. */
  currency: string
}

/** Longer values, such as the text of a page, are cut off. */
const longest = 160
const nothing = '–'

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** The address of an uploaded picture. */
const mediaPattern = /^\/media\//
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/
const dayPattern = /^\d{4}-\d\d-\d\d$/
/** Fields of an amount in minor units of the store’s currency. */
const amounts = new Set(['total', 'amount', 'refunded', 'priceAmount'])
/** Fields that are HTML. Elsewhere a tag is what somebody has typed. */
const htmlFields = new Set(['answer', 'body', 'description', 'html'])
/** Fields of which only programs read the values. */
const internal = new Set(['member', 'memberId', 'id', 'file', 'width', 'height', 'bytes', 'contentType'])

/** The fields of a value; none where it is not an object. */
const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** `a b` is what a browser shows of `<p>a</p><p>b</p>`. */
const withoutTags = (text: string): string =>
  text
    .replaceAll(/<(style|script)\b[^>]*>[\s\S]*?<\/\1>/gi, ' ')
    .replaceAll(/<\/?[a-z][^>]*>/gi, ' ')
    .replaceAll(/&(nbsp|lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim()

const entities: Readonly<Record<string, string>> = {
  '&nbsp;': ' ',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) ? value.length === 0 : typeof value === 'object' && Object.keys(value).length === 0)

/**
 * The label of a field: `title.ko` is Title (Korean), `options.Own.price` is Own: Price. What staff
 * have named, such as a file, keeps its name.
 */
const fieldLabel = (name: string, labels: AuditLabels): string => {
  const known = labels.field(name) ?? labels.language(name)
  if (known !== undefined) return known
  if (idPattern.test(name)) return labels.position
  const [, parent = '', rest = ''] = /^(lessons|files|options)\.(.+)$/s.exec(name) ?? []
  if (parent === 'lessons' || parent === 'files') return `${labels.field(parent)}: ${rest}`
  const at = name.lastIndexOf('.')
  if (at === -1) return name
  const [before, last] = [name.slice(parent ? parent.length + 1 : 0, at), name.slice(at + 1)]
  const language = labels.language(last)
  if (language !== undefined) return `${fieldLabel(before, labels)} (${language})`
  const label = labels.field(last)
  return label === undefined ? name : `${before}: ${label}`
}

/** The field of `options.Own.price` is price, that of `body.ko` body. */
const fieldOf = (name: string, labels: AuditLabels): string => {
  const parts = name.split('.')
  const last = parts.pop() ?? name
  return labels.language(last) === undefined ? last : (parts.pop() ?? last)
}

const textOf = (field: string, text: string, labels: AuditLabels): string | null => {
  if (idPattern.test(text) || mediaPattern.test(text)) return null
  if (timePattern.test(text)) return labels.dateTime(text)
  if (dayPattern.test(text)) return labels.day(text)
  return labels.value(field, text) ?? (htmlFields.has(field) && withoutTags(text) ? withoutTags(text) : text)
}

const objectText = (value: unknown, labels: AuditLabels): string | null => {
  const fields = fieldsOf(value)
  const { amount, currency } = fields
  if (typeof amount === 'number' && typeof currency === 'string') return labels.money({ amount, currency })
  const parts = Object.entries(fields).flatMap(([name, part]) => {
    const text = isEmpty(part) || internal.has(name) ? null : readable(name, part, labels)
    return text === null ? [] : [`${fieldLabel(name, labels)}: ${text}`]
  })
  return parts.length > 0 ? parts.join(', ') : null
}

/** A value as people read it; null for what only programs read. */
const readable = (name: string, value: unknown, labels: AuditLabels): string | null => {
  if (isEmpty(value)) return nothing
  const field = fieldOf(name, labels)
  if (typeof value === 'boolean') return value ? labels.yes : labels.no
  if (typeof value === 'number')
    return amounts.has(field) ? labels.money({ amount: value, currency: labels.currency }) : labels.number(value)
  if (typeof value === 'string') return textOf(field, value, labels)
  if (!Array.isArray(value)) return objectText(value, labels)
  const items = value.flatMap((item: unknown) => readable(name, item, labels) ?? [])
  return items.length > 0 ? items.join(' · ') : null
}

const shortened = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text)

const changeText = (field: string, { from, to }: { from: unknown; to: unknown }, labels: AuditLabels): string[] => {
  if (internal.has(field) || (isEmpty(from) && isEmpty(to))) return []
  const [before, after] = [readable(field, from, labels), readable(field, to, labels)]
  const label = fieldLabel(field, labels)
  // Ids on both sides, or only a difference behind what people read.
  if (before === null || after === null || before === after) return [`${label}: ${labels.changed}`]
  return [`${label}: ${isEmpty(from) ? '' : `${shortened(before)} → `}${shortened(after)}`]
}

/** `staff:kim@example.com` is kim@example.com. */
export const actorName = (actor: string) => actor.replace(/^(?:staff|operator|admin|installation):/, '')

/** The changed fields of an entry, and what its actor wrote, a line for each. */
export const changesText = ({ changes, detail }: AuditEntry, labels: AuditLabels): string =>
  [
    ...Object.entries(changes).flatMap(([field, change]) => changeText(field, change, labels)),
    // The log has no values of what leads to a member.
    ...(Array.isArray(detail.changedFields) ? detail.changedFields : []).flatMap((field: unknown) =>
      typeof field === 'string' ? `${fieldLabel(field, labels)}: ${labels.changed}` : [],
    ),
    // The address of an account that was merged into this one.
    ...(typeof detail.email === 'string' ? [`${fieldLabel('email', labels)}: ${detail.email}`] : []),
    ...(Array.isArray(detail.erased) ? [labels.erased] : []),
    ...['text', 'reason', 'note', 'reference', 'day', 'host'].flatMap((name) =>
      // What somebody has written is shown letter by letter.
      typeof detail[name] === 'string' ? [name === 'day' ? labels.day(detail[name]) : detail[name]] : [],
    ),
    // The other order of a payment that was used for another one than its own.
    ...[detail.from, detail.to].flatMap((code) => orderCode.safeParse(code).data ?? []),
  ].join('\n')
