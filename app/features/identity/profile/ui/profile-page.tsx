import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import type { Profile } from '#contract/identity.ts'
import { call } from '~/platform/api/call'
import { useFormat } from '~/platform/format/use-format'
import { useDirtyForm } from '~/platform/forms/dirty-forms'
import { laterAttribute } from '~/platform/hydration-boundary'
import { switchLocale } from '~/platform/i18n/i18n'
import { isLocale, localeNames } from '~/platform/i18n/locales'
import { yesOrNo } from '~/platform/labels'
import { openModal } from '~/platform/modals/modal-events'
import { useDraft } from '~/platform/session/session-change'
import { meQuery, useSiteSettings } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { Checkbox } from '~/ui/choice'
import { SectionHeading } from '~/ui/section-heading'
import { Select } from '~/ui/select'
import { useHydrated } from '~/ui/visibility'
import { changeProfile, type ProfileForm, profileQuery } from '../profile.functions'
import type { ProfileOutcome } from '../profile-fields'
import { DetailsForm } from './details-form'
import { PasswordForm } from './password-form'
import styles from './profile.module.css'
import { SaveOutcome, type Saving, Section, useSave } from './section'
import { SessionList } from './session-list'

interface ProfilePageProps {
  /** The form that was submitted without JavaScript, and its result. */
  saved: ProfileForm | undefined
  outcome: ProfileOutcome | null
}

/** The member's profile, preferences, password, devices and data. */
export function ProfilePage({ saved, outcome }: ProfilePageProps) {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const hydrated = useHydrated()
  const outcomeOf = (...forms: ProfileForm[]): Saving => ({
    saved: !outcome && forms.some((form) => form === saved),
    refusal: outcome && forms.includes(outcome.form) ? outcome.code : null,
  })
  const outcomeAt = (form: ProfileForm) => (outcome?.form === form ? outcome : null)
  return (
    <div className={styles.page} {...laterAttribute}>
      <SectionHeading level="h1" title={<Trans>Profile</Trans>} />
      <Section id="details" title={<Trans>Personal details</Trans>}>
        <DetailsForm profile={profile} outcome={outcomeAt('details')} first={outcomeOf('details')} />
      </Section>
      <Section id="preferences" title={<Trans>Language and email</Trans>}>
        <PreferencesForm profile={profile} first={outcomeOf('preferences')} />
      </Section>
      <Section
        id="password"
        title={<Trans>Password</Trans>}
        text={<Trans>Changing your password signs you out on all other devices.</Trans>}
      >
        <PasswordForm
          email={profile.email}
          name={profile.name}
          outcome={outcomeAt('password')}
          first={outcomeOf('password')}
        />
      </Section>
      <Section
        id="sessions"
        title={<Trans>Devices</Trans>}
        text={<Trans>Don’t recognize a device? Sign it out and change your password.</Trans>}
      >
        <SessionList first={outcomeOf('session', 'sessions')} />
      </Section>
      <Section
        id="data"
        title={<Trans>Your data</Trans>}
        text={<Trans>Everything we store about you, in one machine-readable file (JSON).</Trans>}
      >
        <div className={styles.end}>
          <Button icon="download" render={<a href="/api/my-data" download />}>
            <Trans>Download my data</Trans>
          </Button>
        </div>
      </Section>
      <Section
        id="leave"
        title={<Trans>Delete account</Trans>}
        text={<Trans>This permanently deletes your account. You’ll see what that means before anything happens.</Trans>}
      >
        <div className={styles.end}>
          <Button variant="outline" disabled={!hydrated} onClick={() => openModal('accountWithdrawal')}>
            <Trans>Delete your account</Trans>
          </Button>
        </div>
      </Section>
    </div>
  )
}

/** The language and the topics of the store's mails. */
function PreferencesForm({ profile, first }: { profile: Profile; first: Saving }) {
  const { i18n } = useLingui()
  const router = useRouter()
  const queryClient = useQueryClient()
  const { locales } = useSiteSettings().base
  const element = useRef<HTMLFormElement>(null)
  const { save, ...saving } = useSave(first, element)
  useDraft(element, 'preferences')
  const [pending, setPending] = useState(false)
  const [changed, setChanged] = useState(false)
  useDirtyForm(changed && !pending)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const chosen = fields.get('locale')
    const locale = isLocale(chosen) ? chosen : undefined
    setPending(true)
    const done = await save(async () => {
      const data = { locale, marketing: fields.has('marketing') }
      const saved = await call((signal) => changeProfile({ data, signal }))
      queryClient.setQueryData(profileQuery.queryKey, saved)
      queryClient.setQueryData(meQuery.queryKey, (me) => me && { ...me, locale: saved.locale })
    })
    setPending(false)
    if (done) setChanged(false)
    if (done && locale) await switchLocale(locale, { i18n, state: router.options.context.localeState, router })
  }

  return (
    <form ref={element} method="post" onSubmit={submit} onChange={() => setChanged(true)} className={styles.form}>
      <input type="hidden" name="form" value="preferences" />
      <Select
        name="locale"
        label={<Trans>Language</Trans>}
        hint={<Trans>Used for the store and our emails to you.</Trans>}
        defaultValue={profile.locale ?? i18n.locale}
        options={locales.map((locale) => ({ value: locale, label: localeNames[locale] }))}
      />
      <dl className={styles.fact}>
        <dt>
          <Trans>Consent to marketing emails</Trans>
        </dt>
        <dd>{i18n._(yesOrNo(profile.marketing))}</dd>
      </dl>
      <Checkbox
        name="marketing"
        label={<Trans>Email me about new titles and offers.</Trans>}
        hint={<ConsentDate marketing={profile.marketing} at={profile.marketingAt} />}
        defaultChecked={profile.marketing}
      />
      <div className={styles.end}>
        <Button type="submit" variant="primary" loading={pending}>
          <Trans>Save</Trans>
        </Button>
        <SaveOutcome {...saving} />
      </div>
    </form>
  )
}

/** The date of the current consent. */
function ConsentDate({ marketing, at }: { marketing: boolean; at: string | null }) {
  const format = useFormat()
  if (!at) return <Trans>You haven’t agreed to this. You’ll still get emails about your orders.</Trans>
  return marketing ? (
    <Trans>You agreed on {format.date(at)}. You can withdraw your consent anytime.</Trans>
  ) : (
    <Trans>You withdrew your consent on {format.date(at)}. You’ll still get emails about your orders.</Trans>
  )
}
