import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { NewStore as NewStoreForm, StoreInvited } from '#contract/admin/stores.ts'
import { locale } from '#contract/enumerations.ts'
import { customerCode } from '#contract/ids.ts'
import { presentZone, zoneChoices } from '#contract/store-choices.ts'
import { hostIn } from '#contract/web-addresses.ts'
import { Button } from '~/ui/button'
import { CopyButton } from '~/ui/copy-button'
import { Dialog } from '~/ui/dialog'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { EmailField } from '~/ui/text-field'
import { useFormat } from '../../platform/format'
import { notify } from '../../platform/notifications'
import { useWrite } from '../../platform/use-write'
import { useCurrencies } from '../../ui/currencies'
import { onSubmit, Refusal, type Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormGuard } from '../../ui/form-guard'
import { Page, Section } from '../../ui/page'
import { codeFrom } from '../../ui/product-labels'
import { storeLanguages } from '../../ui/store-languages'
import { TextField } from '../../ui/text-field'
import styles from './stores.module.css'
import { storeChanges, useStoresApi } from './stores.queries'

/** Shows the link of an owner's invitation, once. */
export function InvitationDialog({ invited, onClose }: { invited: StoreInvited; onClose: () => void }) {
  const { t } = useLingui()
  const { dateTime } = useFormat()
  return (
    <Dialog
      open
      alert
      onClose={onClose}
      title={<Trans>Owner invited</Trans>}
      closeLabel={t`Close`}
      footer={
        <>
          <CopyButton
            text={invited.url}
            labels={{ copy: t`Copy`, copied: t`Copied`, what: t`Copy the link of the invitation` }}
            onFail={() => notify('error', t`The link could not be copied. Select and copy it.`)}
          />
          <Button variant="primary" onClick={onClose}>
            <Trans>Done</Trans>
          </Button>
        </>
      }
    >
      <div className={form.form}>
        <p>
          <Trans>
            The owner gets this link by email. It is valid until {dateTime(invited.expiresAt)}, and shown here only now.
          </Trans>
        </p>
        <Notice tone="warning">
          <Trans>Whoever opens the link manages the store. Give it to the owner alone.</Trans>
        </Notice>
        <code className={styles.link} dir="ltr">
          {invited.url}
        </code>
      </div>
    </Dialog>
  )
}

/** Where most stores of a language are. */
const places: Readonly<Record<string, { currency: string; timeZone: string }>> = {
  ko: { currency: 'KRW', timeZone: 'Asia/Seoul' },
  ja: { currency: 'JPY', timeZone: 'Asia/Tokyo' },
}

const zones = zoneChoices().map((value) => ({
  value,
  label: value.replaceAll('_', ' '),
}))

/** The zone of the browser, where the store can have it. */
const ownZone = () => {
  const zone = presentZone(Intl.DateTimeFormat().resolvedOptions().timeZone)
  return zones.some(({ value }) => value === zone) ? zone : 'UTC'
}

/** What the form's texts make; null for a code that cannot be one, which its field refuses. */
const storeOf = (texts: Texts): NewStoreForm | null => {
  const { name = '', host = '', currency = '', timeZone = '', email = '' } = texts
  const { data: code } = customerCode.safeParse(texts.code)
  const { data: language } = locale.safeParse(texts.locale)
  return code && language ? { name, code, host, locale: language, currency, timeZone, email } : null
}

/** Creates a store and invites its owner. */
export function NewStore() {
  const { t, i18n } = useLingui()
  const api = useStoresApi()
  const navigate = useNavigate()
  const currencies = useCurrencies()
  const [name, setName] = useState('')
  const [code, setCode] = useState<string>()
  const [place, setPlace] = useState(() => ({ ...(places[i18n.locale] ?? { currency: 'USD' }), timeZone: ownZone() }))
  const create = useWrite(api.create, { done: t`Store created`, changes: storeChanges })
  const { answer: invited, failure } = create
  return (
    <Page title={t`New store`}>
      <Section title={<Trans>Store and owner</Trans>}>
        <p>
          <Trans>Visitors see a coming-soon page until the owner opens the store.</Trans>
        </p>
        <form
          className={form.form}
          onSubmit={onSubmit((texts) => {
            const store = storeOf(texts)
            if (store) create.send(store)
          })}
        >
          <FormGuard write={create} part="store" />
          <Refusal failure={failure} />
          <TextField
            label={t`Name`}
            name="name"
            value={name}
            onChange={({ target }) => setName(target.value)}
            maxLength={100}
            required
            error={failure?.fields.name}
          />
          <TextField
            label={t`Code`}
            hint={t`Names the store in the API and in commands: lower case letters, digits and hyphens. It cannot be changed later.`}
            name="code"
            value={code ?? codeFrom(name).slice(0, 40)}
            onChange={({ target }) => setCode(target.value)}
            pattern="[a-z0-9][a-z0-9\-]*"
            maxLength={40}
            autoCapitalize="none"
            spellCheck={false}
            required
            dir="ltr"
            error={failure?.fields.code}
          />
          <TextField
            label={t`Domain`}
            hint={t`It must lead to this installation, for example films.example.com.`}
            name="host"
            maxLength={2000}
            // The host of an address that was pasted.
            onBlur={({ target }) => {
              target.value = hostIn(target.value)
            }}
            autoCapitalize="none"
            spellCheck={false}
            inputMode="url"
            required
            dir="ltr"
            error={failure?.fields.host}
          />
          <Select
            label={t`Language`}
            name="locale"
            defaultValue={i18n.locale}
            options={locale.options.map((value) => ({ value, label: storeLanguages[value] }))}
            onChange={({ target }) => setPlace((before) => places[target.value] ?? before)}
            error={failure?.fields.locale}
          />
          <Select
            label={t`Currency of all prices`}
            hint={t`It cannot be changed once the store has prices.`}
            name="currency"
            value={place.currency}
            options={currencies}
            onChange={({ target }) => setPlace({ ...place, currency: target.value })}
            error={failure?.fields.currency}
          />
          <Select
            label={t`Time zone`}
            name="timeZone"
            value={place.timeZone}
            options={zones}
            onChange={({ target }) => setPlace({ ...place, timeZone: target.value })}
            error={failure?.fields.timeZone}
          />
          <EmailField
            label={t`Email of the owner`}
            hint={t`Gets an invitation to the store’s console.`}
            name="email"
            autoComplete="off"
            required
            error={failure?.fields.email}
          />
          <div className={form.buttons}>
            <Button type="submit" variant="primary" loading={create.isPending}>
              <Trans>Create store</Trans>
            </Button>
            <Button variant="ghost" render={<Link to="/stores" />}>
              <Trans>Back</Trans>
            </Button>
          </div>
        </form>
      </Section>
      {invited && (
        <InvitationDialog
          invited={invited}
          onClose={() => void navigate({ to: '/stores/$code', params: { code: invited.code } })}
        />
      )}
    </Page>
  )
}
