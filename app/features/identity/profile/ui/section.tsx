import { Trans } from '@lingui/react/macro'
import { type ReactNode, type RefObject, useState } from 'react'
import { Refusal } from '~/parts/refusal'
import { problemOf, unknownError } from '~/platform/api/problem'
import { focusFirstInvalid } from '~/platform/focus'
import { Card } from '~/ui/card'
import { Icon } from '~/ui/icon'
import { Notice } from '~/ui/notice'
import { profileRefusal } from '../profile-fields'
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

/** The result of saving, beside the button. */
export function SaveOutcome({ saved, refusal }: Saving) {
  if (refusal) {
    return (
      <Notice tone="danger" urgent className={styles.notice}>
        <Refusal code={refusal} message={profileRefusal(refusal)} />
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

/** The result of a form: none yet, saved, or the code of the refusal. */
export interface Saving {
  saved: boolean
  refusal: string | null
}

/** Submits a form of the profile and keeps the result. Field errors are shown at their fields. */
export function useSave(first: Saving, form: RefObject<HTMLFormElement | null>) {
  const [saving, setSaving] = useState(first)
  const save = async (send: () => Promise<unknown>): Promise<boolean> => {
    setSaving({ saved: false, refusal: null })
    try {
      await send()
      setSaving({ saved: true, refusal: null })
      return true
    } catch (error) {
      const problem = problemOf(error)
      const named = problem?.status === 422 && Object.keys(problem.errors).length > 0
      setSaving({ saved: false, refusal: named ? null : (problem?.code ?? unknownError) })
      focusFirstInvalid(form.current)
      return false
    }
  }
  return { ...saving, save }
}
