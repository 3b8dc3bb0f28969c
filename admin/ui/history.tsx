import { Trans, useLingui } from '@lingui/react/macro'
import { useActionName } from './action-names'
import { type AuditEntry, actorName, changesText } from './audit-text'
import { Section } from './page'
import { TextForm, type TextWrite } from './text-form'
import { Timeline } from './timeline'

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
