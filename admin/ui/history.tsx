import { Trans, useLingui } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import type { auditEntry } from '#contract/admin/audit.ts'
import { Button } from '~/ui/button'
import { TextArea } from '~/ui/text-field'
import type { useWrite } from '../platform/use-write'
import { useActionName } from './action-names'
import { onSubmit, Refusal } from './form'
import form from './form.module.css'
import { Section } from './page'
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
    ...['text', 'reason', 'note'].flatMap((name) => (typeof detail[name] === 'string' ? [detail[name]] : [])),
  ].join('\n')

interface HistoryProps {
  entries: readonly AuditEntry[]
  /** Adds a note; absent for those who may not. */
  note?: ReturnType<typeof useWrite<string, unknown>> | undefined
}

/** What operators have changed about an object, with their notes. */
export function History({ entries, note }: HistoryProps) {
  const { t } = useLingui()
  const actionName = useActionName()
  return (
    <Section title={<Trans>History</Trans>}>
      {note && (
        <form
          className={form.form}
          onSubmit={onSubmit(({ text = '' }, element) => note.send(text, { onSuccess: () => element.reset() }))}
        >
          <Refusal failure={note.failure} />
          <TextArea
            label={t`Note`}
            hint={t`Only staff read it.`}
            name="text"
            rows={2}
            maxLength={2000}
            required
            error={note.failure?.fields.text}
          />
          <div className={form.buttons}>
            <Button type="submit" size="s" loading={note.isPending}>
              <Trans>Add note</Trans>
            </Button>
          </div>
        </form>
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
