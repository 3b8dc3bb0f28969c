import { Trans, useLingui } from '@lingui/react/macro'
import type { QueryKey } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '~/ui/button'
import { CopyButton } from '~/ui/copy-button'
import { useFormat } from '../platform/format'
import { useWrite } from '../platform/use-write'
import { Refusal } from './form'
import form from './form.module.css'
import { Section } from './page'
import { Rows } from './rows'

interface PreviewSectionProps {
  create: () => Promise<{ url: string; expiresAt: string }>
  changes: readonly QueryKey[]
  /** What the link shows. */
  children: ReactNode
}

/** Creates a link that shows something before visitors see it. */
export function PreviewSection({ create, changes, children }: PreviewSectionProps) {
  const { t } = useLingui()
  const { dateTime } = useFormat()
  const [link, setLink] = useState<{ url: string; expiresAt: string }>()
  const write = useWrite(create, { changes, onDone: setLink })
  return (
    <Section title={<Trans>Preview</Trans>}>
      <p>{children}</p>
      <Refusal failure={write.failure} />
      {link && (
        <Rows
          items={[
            {
              key: 'link',
              title: <a href={link.url}>{t`Open the preview`}</a>,
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
      <div className={form.buttons}>
        <Button loading={write.isPending} onClick={() => write.send(undefined)}>
          <Trans>Create preview link</Trans>
        </Button>
      </div>
    </Section>
  )
}
