import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { frameQuery } from '~/features/content/frame.queries'
import { Icon } from '~/ui/icon'
import styles from './join-form.module.css'

type Consent = 'agreeTerms' | 'agreePrivacy' | 'isOldEnough' | 'agreeMarketing'

interface ConsentsProps {
  /** Draws one of them, wired to the form. */
  box: (name: Consent, words: { label: ReactNode; hint?: ReactNode }) => ReactNode
}

/** Each consent by itself, none of them ticked beforehand. */
export function Consents({ box }: ConsentsProps) {
  const { t } = useLingui()
  return (
    <fieldset className={styles.consents}>
      <legend className={styles.legend}>
        <Trans>What you agree to</Trans>
      </legend>
      {box('agreeTerms', {
        label: <Trans>I agree to the terms of use.</Trans>,
        hint: <PageLink type="terms">{t`Read the terms`}</PageLink>,
      })}
      {box('agreePrivacy', {
        label: <Trans>I agree that my data are kept as the privacy policy says.</Trans>,
        hint: <PageLink type="privacy">{t`Read the privacy policy`}</PageLink>,
      })}
      {box('isOldEnough', { label: <Trans>I am 14 or older.</Trans> })}
      {box('agreeMarketing', {
        label: <Trans>Tell me by e-mail about new titles and offers. This is optional.</Trans>,
        hint: <Trans>You can change this at any time on your profile.</Trans>,
      })}
    </fieldset>
  )
}

/** A page of the store in a tab of its own, so that what was typed stays. Nothing where the store has no such page. */
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
