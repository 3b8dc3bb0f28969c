import type * as z from 'zod/mini'
import type { auditEntry } from '#contract/admin/audit.ts'

export type AuditEntry = z.output<typeof auditEntry>

/** Longer values, such as the text of a page, are cut off. */
const longest = 160

/** A value of the audit log as people read it. */
const valueText = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–'
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
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
