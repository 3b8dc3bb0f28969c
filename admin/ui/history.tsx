import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '~/ui/button'
import { useFormat } from '../platform/format'
import { lazyPart } from '../platform/lazy-part'
import { useActionName } from './action-names'
import { useChangesText } from './audit-fields'
import { type AuditEntry, actorName } from './audit-text'
import { Section } from './page'
import type { TextWrite } from './text-form'
import { Timeline } from './timeline'
import type { VersionDialogProps } from './version-dialog'
import { changesTexts, differingFields, textsAfter, type VersionTexts } from './versions'

// Few objects have notes.
const TextForm = lazyPart(async () => ({ default: (await import('./text-form')).TextForm }))

// Loaded when a version is opened.
const VersionDialog = lazyPart(async () => ({ default: (await import('./version-dialog')).VersionDialog }))

/** The texts of an object of which earlier versions can be seen and restored. */
export interface Versions extends Pick<VersionDialogProps, 'texts' | 'queryKey' | 'changes' | 'restore'> {
  now: VersionTexts
}

interface HistoryProps {
  entries: readonly AuditEntry[]
  versions?: Versions
  /** Adds a note; absent for those who may not. */
  note?: TextWrite | undefined
}

/** What operators have changed about an object, with their notes. */
export function History({ entries, note, versions }: HistoryProps) {
  const { t } = useLingui()
  const actionName = useActionName()
  const changesText = useChangesText()
  const { dateTime } = useFormat()
  const [open, setOpen] = useState<AuditEntry | null>(null)
  const names = versions?.texts.map(({ name }) => name) ?? []
  const before = (entry: AuditEntry) => textsAfter(entries, entry.id, names, versions?.now ?? {})
  const isVersion = (entry: AuditEntry) =>
    versions !== undefined && changesTexts(entry, names) && differingFields(before(entry), versions.now).length > 0
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
          end: isVersion(entry) && (
            <Button
              size="s"
              aria-label={t`Compare the version of ${dateTime(entry.at)}`}
              onClick={() => setOpen(entry)}
            >
              <Trans>Compare</Trans>
            </Button>
          ),
        }))}
      />
      {open && versions && (
        <VersionDialog {...versions} entry={open} before={before(open)} onClose={() => setOpen(null)} />
      )}
    </Section>
  )
}
