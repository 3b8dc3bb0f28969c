import { QrCode } from '@ark-ui/react/qr-code'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { CopyButton } from '~/ui/copy-button'
import { Notice } from '~/ui/notice'
import { TextField } from '~/ui/text-field'
import { useApi } from '../../platform/client'
import { saveFile } from '../../platform/save-file'
import { meKey, useMe } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { onSubmit, PasswordField, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { Section } from '../../ui/page'

/** Shown once: each code replaces the app or a passkey once. */
export function RecoveryCodes({
  codes,
  onSaved,
  children,
}: {
  codes: readonly string[]
  onSaved: () => void
  children: ReactNode
}) {
  const { t } = useLingui()
  const text = `${codes.join('\n')}\n`
  return (
    <div className={form.form}>
      <Notice tone="success">{children}</Notice>
      <ul>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={form.buttons}>
        <CopyButton text={text} labels={{ copy: t`Copy`, copied: t`Copied`, what: t`Copy the recovery codes` }} />
        <Button onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'recovery-codes.txt')}>
          <Trans>Download</Trans>
        </Button>
        <Button onClick={onSaved}>
          <Trans>I have saved them</Trans>
        </Button>
      </div>
    </div>
  )
}

/** Scans the secret with the app, or enters it there, then enters a code of the app here. */
function Confirmation({ secret, uri, onDone }: { secret: string; uri: string; onDone: (codes: string[]) => void }) {
  const { t } = useLingui()
  const api = useApi()
  const confirm = useWrite(api.staff.confirmTotp, { changes: [meKey], onDone: ({ codes }) => onDone(codes) })
  return (
    <form className={form.form} onSubmit={onSubmit(({ code = '' }) => confirm.send({ code }))}>
      <p>
        <Trans>
          Scan this code with your authenticator app, enter the key there, or{' '}
          <a href={uri}>open the app on this device</a>.
        </Trans>
      </p>
      <QrCode.Root value={uri} encoding={{ border: 2 }} className={form.qrCode}>
        <QrCode.Frame role="img" aria-label={t`QR code of the key`}>
          <QrCode.Pattern />
        </QrCode.Frame>
      </QrCode.Root>
      <TextField label={t`Key`} value={secret} readOnly dir="ltr" />
      <Refusal failure={confirm.failure} />
      <TextField label={t`Code of the app`} name="code" autoComplete="one-time-code" minLength={6} required dir="ltr" />
      <div className={form.buttons}>
        <Button type="submit" variant="primary" loading={confirm.isPending}>
          <Trans>Turn on</Trans>
        </Button>
      </div>
    </form>
  )
}

/** The authenticator app, which money and the rights of staff need. */
export function SecondFactorSetup() {
  const { t } = useLingui()
  const api = useApi()
  const { isSetUp, recoveryCodesLeft } = useMe().secondFactor
  const [codes, setCodes] = useState<string[]>()
  const start = useWrite(api.staff.startTotp)
  const remove = useWrite(api.staff.removeTotp, { done: t`Authenticator app removed`, changes: [meKey] })
  const [setup, setSetup] = useState<{ secret: string; uri: string }>()
  const failure = start.failure ?? remove.failure
  return (
    <Section
      title={<Trans>Authenticator app</Trans>}
      actions={
        isSetUp ? (
          <Badge tone="success">
            <Trans>On</Trans>
          </Badge>
        ) : (
          <Badge>
            <Trans>Off</Trans>
          </Badge>
        )
      }
    >
      <p>
        <Trans>
          Refunds, deposits, giving titles away, deleting members and the rights of staff need a passkey or a code of
          the app at sign-in.
        </Trans>
      </p>
      {codes ? (
        <RecoveryCodes codes={codes} onSaved={() => setCodes(undefined)}>
          <Trans>The authenticator app is set up. Save these recovery codes: they are shown only now.</Trans>
        </RecoveryCodes>
      ) : setup ? (
        <Confirmation
          secret={setup.secret}
          uri={setup.uri}
          onDone={(made) => {
            setCodes(made)
            setSetup(undefined)
          }}
        />
      ) : (
        <form
          key={String(isSetUp)}
          className={form.form}
          onSubmit={onSubmit(({ password = '' }) =>
            isSetUp ? remove.send({ password }) : start.send({ password }, { onSuccess: setSetup }),
          )}
        >
          {isSetUp && (
            <p>
              <Trans>Recovery codes left: {recoveryCodesLeft}</Trans>
            </p>
          )}
          <Refusal failure={failure} />
          <PasswordField error={failure?.fields.password} />
          <div className={form.buttons}>
            <Button type="submit" loading={start.isPending || remove.isPending}>
              {isSetUp ? <Trans>Remove the app</Trans> : <Trans>Set up</Trans>}
            </Button>
          </div>
        </form>
      )}
    </Section>
  )
}
