import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PaymentAccounts, PaymentProviderName } from '#contract/admin/payments.ts'
import { Button } from '~/ui/button'
import { CopyButton } from '~/ui/copy-button'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { useIsConfirmed, useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { ContentForm } from '../../ui/content-form'
import type { Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { History } from '../../ui/history'
import { Columns, LoadedPage, Page, Section } from '../../ui/page'
import { TextField } from '../../ui/text-field'
import { paymentAccountsQuery, paymentChanges, paymentsKey } from './store.queries'

const providerNames: Record<PaymentProviderName, MessageDescriptor> = {
  sandbox: msg`Test payments (no money is transferred)`,
  stripe: msg`Stripe`,
  portone: msg`PortOne`,
}

const fieldLabels: Record<string, MessageDescriptor> = {
  secretKey: msg`Secret key`,
  webhookSecret: msg`Secret of the webhook`,
  apiSecret: msg`API secret`,
  storeId: msg`Store ID`,
  channelKey: msg`Channel key for cards`,
  bank: msg`Bank of deposits`,
  bankChannelKey: msg`Channel key for deposits`,
  billingChannelKey: msg`Channel key for stored cards`,
}

type Provider = PaymentAccounts['providers'][number]

/** The texts of the fields whose names begin with a group. */
const valuesIn = (texts: Texts, group: 'options' | 'secrets'): Record<string, string> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, value]) =>
      name.startsWith(`${group}.`) && value !== undefined ? [[name.slice(group.length + 1), value]] : [],
    ),
  )

interface FieldsProps {
  provider: Provider
  account: PaymentAccounts['accounts'][number] | undefined
  errors: Readonly<Record<string, string | undefined>>
}

function ProviderFields({ provider, account, errors }: FieldsProps) {
  const { t, i18n } = useLingui()
  const labelOf = (name: string) => {
    const label = fieldLabels[name]
    return label ? i18n._(label) : name
  }
  return (
    <>
      {[...provider.options, ...provider.optional].map((name) => (
        <TextField
          key={name}
          name={`options.${name}`}
          label={labelOf(name)}
          hint={provider.optional.includes(name) ? t`Optional.` : undefined}
          defaultValue={account?.options[name] ?? ''}
          required={provider.options.includes(name)}
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          error={errors[`options.${name}`]}
        />
      ))}
      {provider.secrets.map((name) => {
        const isStored = account?.secrets.includes(name) ?? false
        const isShared = provider.shared.includes(name)
        return (
          <TextField
            key={name}
            name={`secrets.${name}`}
            label={labelOf(name)}
            hint={
              isStored
                ? t`Stored. Leave it empty to keep it.`
                : isShared
                  ? t`Leave it empty to use the one of the installation.`
                  : undefined
            }
            type="password"
            required={!isStored && !isShared}
            maxLength={500}
            autoComplete="off"
            dir="ltr"
            error={errors[`secrets.${name}`]}
          />
        )
      })}
    </>
  )
}

function ProviderForm({ stored }: { stored: PaymentAccounts }) {
  const { t, i18n } = useLingui()
  const { paymentAccounts } = useAdminApi().admin
  const active = stored.accounts.find((account) => account.active)
  const [name, setName] = useState<PaymentProviderName>(active?.provider ?? 'stripe')
  const provider = stored.providers.find((each) => each.name === name)
  if (!provider) return null
  return (
    <ContentForm
      key={stored.version}
      permission="payments:write"
      title={<Trans>Provider of new payments</Trans>}
      // Secrets are typed into it.
      part={null}
      send={(texts) =>
        paymentAccounts.choose(
          { provider: name, options: valuesIn(texts, 'options'), secrets: valuesIn(texts, 'secrets') },
          { context: { ifMatch: stored.version } },
        )
      }
      done={t`The payment provider was saved`}
      queryKey={paymentsKey}
      changes={paymentChanges}
    >
      {(errors, clearErrors) => (
        <>
          <Select
            label={t`Payment provider`}
            value={name}
            onChange={({ target }) => {
              const chosen = stored.providers.find((each) => each.name === target.value)
              if (!chosen) return
              setName(chosen.name)
              clearErrors()
            }}
            options={stored.providers.map((each) => ({ value: each.name, label: i18n._(providerNames[each.name]) }))}
          />
          <ProviderFields
            key={name}
            provider={provider}
            account={stored.accounts.find((account) => account.provider === name)}
            errors={errors}
          />
        </>
      )}
    </ContentForm>
  )
}

function Connection({ name, webhookUrl }: { name: PaymentProviderName; webhookUrl: string | null }) {
  const { t } = useLingui()
  const { paymentAccounts } = useAdminApi().admin
  const check = useWrite(() => paymentAccounts.check({ provider: name }), { notifiesFailure: true })
  return (
    <Section title={<Trans>Connection</Trans>}>
      <div className={form.form}>
        {webhookUrl && (
          <p>
            <Trans>
              Add this address as a webhook at the provider, so that payments arrive when a browser is closed:
            </Trans>{' '}
            <code dir="ltr">{webhookUrl}</code>{' '}
            <CopyButton text={webhookUrl} labels={{ copy: t`Copy`, copied: t`Copied`, what: t`Copy the address` }} />
          </p>
        )}
        {check.answer?.result === 'ACCEPTED' && (
          <Notice tone="success">
            <Trans>The provider accepts the account.</Trans>
          </Notice>
        )}
        {check.answer?.result === 'REFUSED' && (
          <Notice tone="danger" urgent>
            <Trans>The provider refuses the secrets. Copy them again from its dashboard.</Trans>
          </Notice>
        )}
        {check.answer?.result === 'UNAVAILABLE' && (
          <Notice tone="warning" urgent>
            <Trans>The provider does not answer at the moment. Try again later.</Trans>
          </Notice>
        )}
        <div className={form.buttons}>
          <Button loading={check.isPending} onClick={() => check.send(undefined)}>
            <Trans>Test the connection</Trans>
          </Button>
        </div>
      </div>
    </Section>
  )
}

function State({ stored }: { stored: PaymentAccounts }) {
  if (stored.takesPayments === null)
    return (
      <Notice tone="danger">
        <Trans>Nobody can pay, because there is no payment provider.</Trans>
      </Notice>
    )
  if (stored.takesPayments === 'sandbox')
    return (
      <Notice tone="warning">
        <Trans>Payments are tests: no money is transferred.</Trans>
      </Notice>
    )
  return null
}

/** The accounts of the store at payment providers. */
export function PaymentsPage() {
  const { t, i18n } = useLingui()
  const isConfirmed = useIsConfirmed()
  const isAllowed = useMay()('payments:write') && isConfirmed
  const accounts = useQuery(paymentAccountsQuery(useAdminApi()))
  return (
    <LoadedPage title={t`Payments`} query={accounts}>
      {(stored) => {
        const active = stored.accounts.find((account) => account.active)
        const former = stored.accounts.filter((account) => !account.active)
        return (
          <Page title={t`Payments`}>
            <Columns aside={<History entries={stored.history} />}>
              <State stored={stored} />
              <ProviderForm key={active?.provider} stored={stored} />
              {isAllowed && active && (
                <Connection
                  key={stored.version}
                  name={active.provider}
                  webhookUrl={stored.providers.find(({ name }) => name === active.provider)?.webhookUrl ?? null}
                />
              )}
              {former.length > 0 && (
                <Section title={<Trans>Earlier providers</Trans>}>
                  <p>
                    <Trans>Payments that they took are refunded there.</Trans>
                  </p>
                  <ul>
                    {former.map(({ provider }) => (
                      <li key={provider}>{i18n._(providerNames[provider])}</li>
                    ))}
                  </ul>
                </Section>
              )}
            </Columns>
          </Page>
        )
      }}
    </LoadedPage>
  )
}
