import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '~/ui/button'
import { CopyButton } from '~/ui/copy-button'
import { Dialog } from '~/ui/dialog'
import { Notice } from '~/ui/notice'
import { notify } from '../platform/notifications'
import form from './form.module.css'

interface SecretDialogProps {
  title: ReactNode
  /** That it is shown once, and what it is for. */
  warning: ReactNode
  secret: string
  /** The name of the button that copies it. */
  copyLabel: string
  onClose: () => void
  children?: ReactNode
}

/** Shows a secret of a program, once. */
export function SecretDialog({ title, warning, secret, copyLabel, onClose, children }: SecretDialogProps) {
  const { t } = useLingui()
  return (
    <Dialog
      open
      alert
      onClose={onClose}
      title={title}
      closeLabel={t`Close`}
      footer={
        <>
          <CopyButton
            text={secret}
            labels={{ copy: t`Copy`, copied: t`Copied`, what: copyLabel }}
            onFail={() => notify('error', t`The secret could not be copied. Select and copy it.`)}
          />
          <Button variant="primary" onClick={onClose}>
            <Trans>I have saved it</Trans>
          </Button>
        </>
      }
    >
      <div className={form.form}>
        <Notice tone="warning">{warning}</Notice>
        <code className={form.secret} dir="ltr">
          {secret}
        </code>
        {children}
      </div>
    </Dialog>
  )
}
