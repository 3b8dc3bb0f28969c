import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useFieldErrors } from '~/platform/api/validation-errors'
import { useDirtyForm } from '~/platform/forms/dirty-forms'
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
  /** Rejects where the server refuses, and keeps the text. */
  onSend: (body: string) => Promise<unknown>
  onCancel?: () => void
}

/** Writes a comment or a reply, or changes one. */
export function CommentForm({ label, action, initial = '', onSend, onCancel }: CommentFormProps) {
  const { t } = useLingui()
  const [body, setBody] = useState(initial)
  const [pending, setPending] = useState(false)
  const [failed, setFailed] = useState(false)
  const [refused] = useFieldErrors('body')
  const typed = body.trim()
  const remaining = longest - body.length
  useDirtyForm(typed !== initial.trim() && !pending)

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (!typed || pending) return
    setPending(true)
    setFailed(false)
    try {
      await onSend(typed)
      setBody('')
    } catch {
      setFailed(true)
    } finally {
      setPending(false)
    }
  }

  return (
    <form className={styles.form} onSubmit={send}>
      <TextArea
        label={label}
        rows={onCancel ? 2 : 3}
        value={body}
        maxLength={longest}
        autoFocus={Boolean(onCancel)}
        onChange={(event) => setBody(event.target.value)}
        hint={body.length > nearEnd ? t`${remaining} characters left` : undefined}
        error={
          failed ? (refused ?? t`Couldn’t post your comment. Your text is saved, so you can try again.`) : undefined
        }
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
