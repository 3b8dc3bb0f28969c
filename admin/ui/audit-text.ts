import type * as z from 'zod/mini'
import type { auditEntry } from '#contract/admin/audit.ts'

export type AuditEntry = z.output<typeof auditEntry>

/** Longer values, such as the text of a page, are cut off. */
const longest = 160

/** What an item of a list is called. */
const itemText = (item: unknown): string => {
  if (typeof item === 'string') return item
  const fields: Record<string, unknown> = typeof item === 'object' && item !== null ? { ...item } : {}
  const name = [fields.title, fields.name, fields.kind].find((each) => typeof each === 'string')
  return typeof name === 'string' ? name : JSON.stringify(item)
}

/** A value of the audit log as people read it. */
const valueText = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value) && value.length === 0) return '–'
  const listed = Array.isArray(value) ? value.map(itemText).join(' · ') : JSON.stringify(value)
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : listed
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

/** `staff:kim@example.com` is kim@example.com. */
export const actorName = (actor: string) => actor.replace(/^(?:staff|operator|admin):/, '')

/** The changed fields of an entry, and what its actor wrote. */
export const changesText = ({ changes, detail }: AuditEntry): string =>
  [
    ...Object.entries(changes).map(([field, { from, to }]) => `${field}: ${valueText(from)} → ${valueText(to)}`),
    ...['text', 'reason', 'note', 'reference', 'day', 'host'].flatMap((name) =>
      typeof detail[name] === 'string' ? [detail[name]] : [],
    ),
  ].join('\n')
