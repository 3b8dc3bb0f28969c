import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Refusal } from '~/parts/refusal'
import { problemOf, unknownError } from '~/platform/api/problem'
import { useFieldErrors } from '~/platform/api/validation-errors'
import { useDirtyForm } from '~/platform/forms/dirty-forms'
import { useDraft } from '~/platform/session/session-change'
import { Button } from '~/ui/button'
import { TextArea } from '~/ui/text-field'
import styles from './comment-form.module.css'

const longest = 1000
/** The length from which the remaining characters are shown. */
const nearEnd = 850

interface CommentFormProps {
  label: ReactNode
  action: ReactNode
  initial?: string
  /** The name of the form's draft, one for each form of the page. */
  draft: string
  /** Rejects where the server refuses, and keeps the text. */
  onSend: (body: string) => Promise<unknown>
  onCancel?: () => void
}

const notPosted = msg`Couldn’t post your comment. Your text is saved, so you can try again.`

/** Writes a comment or a reply, or changes one. */
export function CommentForm({ label, action, initial = '', draft, onSend, onCancel }: CommentFormProps) {
  const { t } = useLingui()
  const [body, setBody] = useState(initial)
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  useDraft(form, draft)
  const [refused] = useFieldErrors('body')
  const typed = body.trim()
  const remaining = longest - body.length
  useDirtyForm(typed !== initial.trim() && !pending)

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (!typed || pending) return
    setPending(true)
    setFailure(undefined)
    try {
      await onSend(typed)
      setBody('')
    } catch (error) {
      setFailure(problemOf(error)?.code ?? unknownError)
    } finally {
      setPending(false)
    }
  }

  return (
    <form ref={form} className={styles.form} onSubmit={send}>
      <TextArea
        name="body"
        label={label}
        rows={onCancel ? 2 : 3}
        value={body}
        maxLength={longest}
        autoFocus={Boolean(onCancel)}
        onChange={(event) => setBody(event.target.value)}
        hint={body.length > nearEnd ? t`${remaining} characters left` : undefined}
        error={failure && (refused ?? <Refusal code={failure} message={notPosted} />)}
      />
      <div className={styles.formButtons}>
        {onCancel && (
          <Button variant="ghost" size="s" onClick={onCancel}>
            <Trans>Cancel</Trans>
          </Button>
        )}
        <Button type="submit" size="s" variant={onCancel ? 'secondary' : 'primary'} loading={pending} disabled={!typed}>
          {action}
        </Button>
      </div>
    </form>
  )
}
