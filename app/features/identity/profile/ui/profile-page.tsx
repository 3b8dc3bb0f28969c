import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { openModal } from '~/platform/modals/modal-events'
import { Button } from '~/ui/button'
import { SectionHeading } from '~/ui/section-heading'
import { useHydrated } from '~/ui/visibility'
import { type ProfileForm, profileQuery } from '../profile.functions'
import type { ProfileOutcome } from '../profile-fields'
import { DetailsForm } from './details-form'
import { PasswordForm } from './password-form'
import { PreferencesForm } from './preferences-form'
import styles from './profile.module.css'
import { type Saving, Section } from './section'
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
    <div className={styles.page}>
      <SectionHeading level="h1" title={<Trans>Profile</Trans>} />
      <Section id="details" title={<Trans>Personal details</Trans>}>
        <DetailsForm profile={profile} outcome={outcomeAt('details')} first={outcomeOf('details')} />
      </Section>
      <Section id="preferences" title={<Trans>Language and email</Trans>}>
        <PreferencesForm
          key={`${profile.locale} ${profile.marketing}`}
          profile={profile}
          first={outcomeOf('preferences')}
        />
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
