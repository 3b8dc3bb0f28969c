import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Card } from '~/ui/card'
import { Icon } from '~/ui/icon'
import { Notice } from '~/ui/notice'
import { profileRefusal } from '../profile-attempt'
import type { Saving } from '../use-save'
import styles from './profile.module.css'

interface SectionProps {
  id: string
  title: ReactNode
  text?: ReactNode
  children: ReactNode
}

/** One part of the profile, with its own form. */
export function Section({ id, title, text, children }: SectionProps) {
  return (
    <Card id={id} className={styles.section}>
      <div className={styles.words}>
        <h2 className={styles.title}>{title}</h2>
        {text && <p className={styles.text}>{text}</p>}
      </div>
      <div className={styles.body}>{children}</div>
    </Card>
  )
}

/** What came of saving, beside the button that did it. */
export function SaveOutcome({ saved, refusal }: Saving) {
  const { i18n } = useLingui()
  if (refusal) {
    return (
      <Notice tone="danger" urgent className={styles.notice}>
        {i18n._(profileRefusal(refusal))}
      </Notice>
    )
  }
  return (
    <p role="status" className={styles.saved}>
      {saved && (
        <>
          <Icon name="success" size="s" />
          <Trans>Saved.</Trans>
        </>
      )}
    </p>
  )
}
