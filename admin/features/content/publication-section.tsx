import { Trans, useLingui } from '@lingui/react/macro'
import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ContentState } from '#contract/admin/content.ts'
import { Button } from '~/ui/button'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import form from '../../ui/form.module.css'
import { Section } from '../../ui/page'
import { PreviewSection } from '../../ui/preview-section'

interface PublicationSectionProps {
  object: { isDraft: boolean; startsAt: string | null; state: ContentState }
  queryKey: QueryKey
  changes: readonly QueryKey[]
  send: (change: { isDraft: boolean }) => Promise<unknown>
  createPreview: (at: string | undefined) => Promise<{ url: string; expiresAt: string }>
  /** Whether something published may become a draft again. */
  canUnpublish?: boolean
  /** Whether a preview also shows something that is published. */
  hasLaterTexts?: boolean
  /** What to do with a draft before it is published. */
  children: ReactNode
}

/** Publishes content, or makes a draft of it again, and shows it before. */
export function PublicationSection({
  object: { isDraft, startsAt, state },
  queryKey,
  changes,
  send,
  createPreview,
  canUnpublish = true,
  hasLaterTexts = false,
  children,
}: PublicationSectionProps) {
  const { t } = useLingui()
  const { dateTime } = useFormat()
  const isAllowed = useMay()('content:write')
  const isLater = startsAt !== null && Date.parse(startsAt) > Date.now()
  const published = isLater ? t`Scheduled` : t`Published`
  const save = useWrite((change: { isDraft: boolean }) => send(change), {
    changes: [queryKey, ...changes],
    done: isDraft ? published : t`Unpublished`,
  })
  if (!isAllowed) return null
  return (
    <>
      {(isDraft || canUnpublish) && (
        <Section title={<Trans>Publication</Trans>}>
          <p>
            {isDraft ? (
              isLater ? (
                <Trans>
                  Visitors do not see this draft. Once it is published, they see it from {dateTime(startsAt)} on.
                </Trans>
              ) : (
                children
              )
            ) : (
              <Trans>Unpublish it to make a draft of it that visitors do not see.</Trans>
            )}
          </p>
          <WriteRefusal failure={save.failure} queryKey={queryKey} onLoaded={save.reset} />
          <div className={form.buttons}>
            <Button
              {...(isDraft && { variant: 'primary' as const })}
              loading={save.isPending}
              onClick={() => save.send({ isDraft: !isDraft })}
            >
              {isDraft ? isLater ? <Trans>Schedule</Trans> : <Trans>Publish</Trans> : <Trans>Unpublish</Trans>}
            </Button>
          </div>
        </Section>
      )}
      {(state !== 'SHOWN' || hasLaterTexts) && (
        <PreviewSection create={createPreview} changes={[queryKey]}>
          <Trans>The link shows it to anyone for 7 days, as visitors will see it.</Trans>
        </PreviewSection>
      )}
    </>
  )
}
