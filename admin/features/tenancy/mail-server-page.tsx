import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type MailSecurity, mailSecurity, type StoreMailServer } from '#contract/admin/mail-servers.ts'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { EmailField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useIsConfirmed, useMay, useMe } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'
import { ContentForm } from '../../ui/content-form'
import type { Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { History } from '../../ui/history'
import { Columns, LoadedPage, Page, Section } from '../../ui/page'
import { TextField } from '../../ui/text-field'
import { mailServerChanges, mailServerKey, mailServerQuery } from './store.queries'

const usualPorts: Record<MailSecurity, number> = { TLS: 465, STARTTLS: 587, NONE: 25 }

/** The security and the port, which changes with it while it is the usual one. */
function Connection({ stored, errors }: { stored: StoreMailServer; errors: Texts }) {
  const { t } = useLingui()
  const { server, allowsPlain } = stored
  const [security, setSecurity] = useState<MailSecurity>(server?.security ?? 'STARTTLS')
  const [port, setPort] = useState(String(server?.port ?? usualPorts.STARTTLS))
  const labels: Record<MailSecurity, string> = {
    TLS: t`TLS`,
    STARTTLS: t`STARTTLS`,
    NONE: t`None (for tests on the same machine)`,
  }
  const choices = mailSecurity.options.filter((each) => each !== 'NONE' || allowsPlain || security === each)
  return (
    <>
      <Select
        label={t`Encryption`}
        name="security"
        value={security}
        options={choices.map((value) => ({ value, label: labels[value] }))}
        onChange={({ target }) => {
          const chosen = mailSecurity.options.find((each) => each === target.value) ?? security
          if (port === String(usualPorts[security])) setPort(String(usualPorts[chosen]))
          setSecurity(chosen)
        }}
        error={errors.security}
      />
      <TextField
        label={t`Port`}
        hint={t`Usually 465 with TLS and 587 with STARTTLS.`}
        name="port"
        type="number"
        min={1}
        max={65_535}
        required
        dir="ltr"
        value={port}
        onChange={({ target }) => setPort(target.value)}
        error={errors.port}
      />
    </>
  )
}

function ServerForm({ stored }: { stored: StoreMailServer }) {
  const { t } = useLingui()
  const { mailServer } = useAdminApi().admin
  const { server, version } = stored
  return (
    <ContentForm
      permission="settings:write"
      needsSecondFactor
      title={<Trans>Mail server of the store</Trans>}
      // A password is typed into it.
      part={null}
      send={({ host = '', port = '', security, username, password, senderName, senderAddress = '' }) =>
        mailServer.save(
          {
            host,
            port: Number(port),
            username,
            password,
            senderName,
            senderAddress,
            security: mailSecurity.options.find((each) => each === security) ?? 'STARTTLS',
          },
          { context: { ifMatch: version } },
        )
      }
      done={t`The mail server was saved`}
      submit={<Trans>Test the connection and save</Trans>}
      queryKey={mailServerKey}
      changes={mailServerChanges}
    >
      {(errors) => (
        <>
          <TextField
            label={t`Server`}
            hint={t`For example smtp.example.com. Its provider names it in its help.`}
            name="host"
            defaultValue={server?.host}
            maxLength={253}
            required
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            error={errors.host}
          />
          <Connection stored={stored} errors={errors} />
          <TextField
            label={t`User name`}
            hint={t`Empty if the server asks for no sign-in.`}
            name="username"
            defaultValue={server?.username ?? ''}
            maxLength={320}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            error={errors.username}
          />
          <TextField
            label={t`Password`}
            hint={server?.hasPassword ? t`Stored. Leave it empty to keep it.` : undefined}
            name="password"
            type="password"
            maxLength={500}
            autoComplete="new-password"
            dir="ltr"
            error={errors.password}
          />
          <EmailField
            label={t`Sender’s address`}
            hint={t`The server must be allowed to send for it.`}
            name="senderAddress"
            defaultValue={server?.senderAddress}
            maxLength={254}
            required
            autoComplete="off"
            error={errors.senderAddress}
          />
          <TextField
            label={t`Sender’s name`}
            hint={t`Empty for the name of the store.`}
            name="senderName"
            defaultValue={server?.senderName ?? ''}
            maxLength={100}
            autoComplete="off"
            error={errors.senderName}
          />
        </>
      )}
    </ContentForm>
  )
}

/** Sends a test email, and says what the server answered. */
function TestMail() {
  const { mailServer } = useAdminApi().admin
  const { email } = useMe()
  const test = useWrite(() => mailServer.sendTest(), {
    changes: [mailServerKey, ['home'], ['mails']],
    notifiesFailure: true,
  })
  const { answer, isPending } = test
  const words = answer?.answer
  return (
    <Section title={<Trans>Test</Trans>}>
      <div className={form.form}>
        {answer?.result === 'SENT' && (
          <Notice tone="success">
            <Trans>
              The server has taken the email to {answer.to}. Its answer: <bdi>{words}</bdi>
            </Trans>
          </Notice>
        )}
        {(answer?.result === 'REFUSED' || answer?.result === 'LATER') && (
          <Notice tone="danger" urgent>
            <Trans>
              The server refuses the email to {answer.to}. Its answer: <bdi>{words}</bdi>
            </Trans>
          </Notice>
        )}
        {answer?.result === 'UNAVAILABLE' && (
          <Notice tone="danger" urgent>
            <Trans>
              The server cannot be used: <bdi>{words}</bdi>
            </Trans>
          </Notice>
        )}
        <p>
          <Trans>
            The email goes to <bdi>{email}</bdi>.
          </Trans>
        </p>
        <div className={form.buttons}>
          <Button loading={isPending} onClick={() => test.send(undefined)}>
            <Trans>Send a test email</Trans>
          </Button>
        </div>
      </div>
    </Section>
  )
}

function Remove({ stored: { version, installationSender } }: { stored: StoreMailServer }) {
  const { t } = useLingui()
  const { mailServer } = useAdminApi().admin
  const remove = useWrite(() => mailServer.remove(undefined, { context: { ifMatch: version } }), {
    done: t`The mail server was removed`,
    changes: [mailServerKey, ...mailServerChanges],
    notifiesFailure: true,
  })
  const confirm = useConfirm({
    title: t`Remove the mail server of the store?`,
    text: installationSender ? (
      <Trans>
        The installation then sends the emails, from <bdi>{installationSender}</bdi>. The password is deleted.
      </Trans>
    ) : (
      <Trans>The installation has no mail server, so that no emails are sent then. The password is deleted.</Trans>
    ),
    action: t`Remove`,
    onConfirm: () => remove.sendAsync(undefined),
  })
  return (
    <Section title={<Trans>Remove</Trans>}>
      <div className={form.buttons}>
        <Button onClick={confirm.ask}>
          <Trans>Remove the mail server</Trans>
        </Button>
      </div>
      {confirm.dialog}
    </Section>
  )
}

/** Who sends the emails, and since when the store's own server takes none. */
function State({ stored: { server, outage, installationSender } }: { stored: StoreMailServer }) {
  const { dateTime } = useFormat()
  if (outage) {
    const since = dateTime(outage.since)
    return (
      <Notice tone="danger">
        <p>
          <Trans>
            The server has taken no emails since {since}: <bdi>{outage.reason}</bdi>
          </Trans>
        </p>
        {outage.retryAt && (
          <p>
            <Trans>Emails wait, and are tried again at {dateTime(outage.retryAt)}.</Trans>
          </p>
        )}
      </Notice>
    )
  }
  if (server) return null
  return installationSender ? (
    <Notice>
      <Trans>
        The installation sends the emails of the store, from <bdi>{installationSender}</bdi>.
      </Trans>
    </Notice>
  ) : (
    <Notice tone="warning">
      <Trans>Emails are not sent, because there is no mail server.</Trans>
    </Notice>
  )
}

/** Lets a store send its emails through a server of its own. */
export function MailServerPage() {
  const { t } = useLingui()
  const isConfirmed = useIsConfirmed()
  const isAllowed = useMay()('settings:write') && isConfirmed
  const mailServer = useQuery(mailServerQuery(useAdminApi()))
  return (
    <LoadedPage title={t`Mail server`} query={mailServer}>
      {(stored) => (
        <Page title={t`Mail server`}>
          <Columns aside={<History entries={stored.history} />}>
            <State stored={stored} />
            <ServerForm key={stored.version} stored={stored} />
            <p>
              <Trans>Emails about staff accounts always go through the mail server of the installation.</Trans>
            </p>
            {isAllowed && stored.server && <TestMail />}
            {isAllowed && stored.server && <Remove stored={stored} />}
          </Columns>
        </Page>
      )}
    </LoadedPage>
  )
}
