import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { frameQuery } from '~/features/content/content.functions'
import { Checkbox } from '~/ui/choice'
import { Icon } from '~/ui/icon'
import styles from './join-form.module.css'

export const consents = ['agreeTerms', 'agreePrivacy', 'isOldEnough', 'agreeMarketing'] as const
type Consent = (typeof consents)[number]

interface ConsentsProps {
  /** Ticks or clears all of them. */
  all: ReactNode
  /** Renders one consent, connected to the form. */
  box: (name: Consent, labels: { label: ReactNode; hint?: ReactNode }) => ReactNode
}

/** Separate consents, none of them preselected. */
export function Consents({ all, box }: ConsentsProps) {
  const { t } = useLingui()
  return (
    <fieldset className={styles.consents}>
      <legend className={styles.legend}>
        <Trans>Terms and consent</Trans>
      </legend>
      {all}
      {box('agreeTerms', {
        label: <Trans>I agree to the Terms of Use.</Trans>,
        hint: <PageLink type="terms">{t`View Terms of Use`}</PageLink>,
      })}
      {box('agreePrivacy', {
        label: <Trans>I agree to the Privacy Policy.</Trans>,
        hint: <PageLink type="privacy">{t`View Privacy Policy`}</PageLink>,
      })}
      {box('isOldEnough', { label: <Trans>I’m 14 or older.</Trans> })}
      {box('agreeMarketing', {
        label: <Trans>Email me about new titles and offers (optional).</Trans>,
        hint: <Trans>You can change this anytime in your profile.</Trans>,
      })}
    </fieldset>
  )
}

interface AgreeToAllProps {
  /** The state of each checkbox. */
  values: readonly boolean[]
  onChange: (agreed: boolean) => void
}

/** A box that ticks all others. It is half ticked while some are, and hidden without JavaScript. */
export function AgreeToAll({ values, onChange }: AgreeToAllProps) {
  const box = useRef<HTMLInputElement>(null)
  const all = values.every(Boolean)
  const some = values.some(Boolean) && !all
  useEffect(() => {
    if (box.current) box.current.indeterminate = some
  }, [some])
  return (
    <Checkbox
      ref={box}
      name="agreeAll"
      className={styles.all}
      label={<Trans>Agree to all</Trans>}
      hint={<Trans>Includes the optional emails about new titles and offers.</Trans>}
      checked={all}
      onChange={({ target }) => onChange(target.checked)}
    />
  )
}

/**
 * Opens a page of the store in a new tab, so that the input is kept. Renders nothing if the page
 * is missing.
 */
function PageLink({ type, children }: { type: string; children: ReactNode }) {
  const { data } = useQuery(frameQuery)
  if (!data?.pages.some((page) => page.type === type)) return null
  return (
    <Link to="/pages/$type" params={{ type }} target="_blank" className={styles.read}>
      {children}
      <Icon name="external" size="s" />
    </Link>
  )
}
