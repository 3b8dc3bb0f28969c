import { Trans, useLingui } from '@lingui/react/macro'
import type { QueryKey } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '~/ui/button'
import { CopyButton } from '~/ui/copy-button'
import { useFormat } from '../platform/format'
import { useSettings } from '../platform/settings'
import { useWrite } from '../platform/use-write'
import { onSubmit, Refusal } from './form'
import form from './form.module.css'
import { Section } from './page'
import { isoTimeOf, StoreTimeField } from './period-fields'
import { Rows } from './rows'

interface PreviewSectionProps {
  /** `at` is the time that the link shows; without one, the present. */
  create: (at: string | undefined) => Promise<{ url: string; expiresAt: string }>
  changes: readonly QueryKey[]
  /** What the link shows. */
  children: ReactNode
}

/** Creates a link that shows something before visitors see it. */
export function PreviewSection({ create, changes, children }: PreviewSectionProps) {
  const { t } = useLingui()
  const { dateTime } = useFormat()
  const { timeZone } = useSettings().base
  const [typed, setTyped] = useState('')
  const [link, setLink] = useState<{ url: string; expiresAt: string; at: string | undefined }>()
  const write = useWrite(
    async () => {
      const at = typed ? isoTimeOf(typed, timeZone) : undefined
      return { ...(await create(at)), at }
    },
    { changes, onDone: setLink },
  )
  const shownAt = link?.at
  return (
    <Section title={<Trans>Preview</Trans>}>
      <p>{children}</p>
      <Refusal failure={write.failure} />
      {link && (
        <Rows
          items={[
            {
              key: 'link',
              title: (
                <a href={link.url}>
                  {shownAt === undefined ? t`Open the preview` : t`Open the preview of ${dateTime(shownAt)}`}
                </a>
              ),
              detail: t`Valid until ${dateTime(link.expiresAt)}`,
              end: (
                <CopyButton
                  text={link.url}
                  labels={{ copy: t`Copy`, copied: t`Copied`, what: t`Copy the preview link` }}
                />
              ),
            },
          ]}
        />
      )}
      <form className={form.fields} onSubmit={onSubmit(() => write.send(undefined))}>
        <StoreTimeField
          label={t`As visitors will see it on`}
          hint={t`As it is now if empty. In a preview of a time, nothing can be changed.`}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          error={write.failure?.fields.at}
        />
        <div className={form.buttons}>
          <Button type="submit" loading={write.isPending}>
            <Trans>Create preview link</Trans>
          </Button>
        </div>
      </form>
    </Section>
  )
}
