import { Trans, useLingui } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import type { auditEntry } from '#contract/admin/audit.ts'
import { useActionName } from './action-names'
import { Section } from './page'
import { TextForm, type TextWrite } from './text-form'
import { Timeline } from './timeline'

export type AuditEntry = z.output<typeof auditEntry>

/** A value of the audit log as people read it. */
const valueText = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–'
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}

/** `staff:kim@example.com` is kim@example.com. */
export const actorName = (actor: string) => actor.replace(/^(?:staff|operator|admin):/, '')

/** The changed fields of an entry, and what its actor wrote. */
export const changesText = ({ changes, detail }: AuditEntry): string =>
  [
    ...Object.entries(changes).map(([field, { from, to }]) => `${field}: ${valueText(from)} → ${valueText(to)}`),
    ...['text', 'reason', 'note', 'reference', 'day'].flatMap((name) =>
      typeof detail[name] === 'string' ? [detail[name]] : [],
    ),
  ].join('\n')

interface HistoryProps {
  entries: readonly AuditEntry[]
  /** Adds a note; absent for those who may not. */
  note?: TextWrite | undefined
}

/** What operators have changed about an object, with their notes. */
export function History({ entries, note }: HistoryProps) {
  const { t } = useLingui()
  const actionName = useActionName()
  return (
    <Section title={<Trans>History</Trans>}>
      {note && (
        <TextForm
          label={t`Note`}
          hint={t`Only staff read it.`}
          name="text"
          rows={2}
          maxLength={2000}
          write={note}
          submit={<Trans>Add note</Trans>}
          size="s"
        />
      )}
      <Timeline
        entries={entries.map((entry) => ({
          key: entry.id,
          at: entry.at,
          title: (
            <>
              {actionName(entry.action)} · <bdi>{actorName(entry.actor)}</bdi>
            </>
          ),
          detail: changesText(entry),
        }))}
      />
    </Section>
  )
}
