import { Trans, useLingui } from '@lingui/react/macro'
import { useForm } from '@tanstack/react-form'
import { type FormEvent, useRef, useState } from 'react'
import { resetRequest } from '#contract/accounts.ts'
import { call } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { focusFirstInvalid } from '~/platform/focus'
import { rememberedEmail } from '~/platform/forms/credentials'
import { useValidationErrors } from '~/platform/forms/validation-errors'
import { Button } from '~/ui/button'
import { MailboxLink } from '~/ui/mailbox-link'
import { Notice } from '~/ui/notice'
import { EmailField } from '~/ui/text-field'
import { requestReset } from '../reset.functions'
import { type ResetAttempt, resetFieldMessages, resetRefusal } from '../reset-attempt'
import styles from './reset-forms.module.css'

interface AskFormProps {
  email: string
  /** The outcome of a form that was sent without script. */
  attempt: ResetAttempt | null
}

/** Asks for the mail with the access key. It says the same whether or not the e-mail has an account. */
export function ResetRequestForm({ email: known, attempt }: AskFormProps) {
  const { i18n } = useLingui()
  const failed = attempt?.did === 'NOTHING' ? attempt : null
  const element = useRef<HTMLFormElement>(null)
  const [asked, setAsked] = useState(attempt?.did === 'ASKED' ? attempt : null)
  const [refusal, setRefusal] = useState(failed?.code ?? null)
  const stored = useValidationErrors()

  const form = useForm({
    defaultValues: { email: failed?.email || known },
    validators: { onSubmit: resetRequest },
    onSubmitInvalid: () => focusFirstInvalid(element.current),
    onSubmit: async ({ value }) => {
      setRefusal(null)
      rememberedEmail.set(value.email)
      try {
        const { mailbox } = await call((signal) => requestReset({ data: value, signal }), {
          expected: [429],
          silent: true,
        })
        setAsked({ did: 'ASKED', email: value.email, mailbox })
      } catch (error) {
        const problem = problemOf(error)
        setRefusal(problem?.status === 422 ? null : (problem?.code ?? 'ERROR'))
        focusFirstInvalid(element.current)
      }
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    form.setFieldValue('email', String(new FormData(event.currentTarget).get('email') ?? '').trim())
    void form.handleSubmit()
  }

  if (asked) {
    return (
      <div className={styles.form}>
        <Notice tone="success" className={styles.notice}>
          <Trans>
            If <b dir="ltr">{asked.email}</b> has an account, we’ve sent a link. It expires in 10 minutes.
          </Trans>
        </Notice>
        <p className={styles.text}>
          <Trans>Didn’t get it? Check your spam folder and make sure the address is correct.</Trans>
        </p>
        <p className={styles.text}>
          <Trans>
            Asked before in the last 10 minutes? Use the link you already have. It works for another 10 minutes.
          </Trans>
        </p>
        {asked.mailbox && <MailboxLink href={asked.mailbox} label={<Trans>Open the demo mailbox</Trans>} />}
        <Button full variant="ghost" onClick={() => setAsked(null)}>
          <Trans>Try a different address</Trans>
        </Button>
      </div>
    )
  }
  return (
    <form ref={element} method="post" action="/reset-password" noValidate onSubmit={submit} className={styles.form}>
      <input type="hidden" name="intent" value="ask" />
      <p className={styles.text}>
        <Trans>Enter your email address and we’ll send you a link to reset your password.</Trans>
      </p>
      {refusal && (
        <Notice tone="danger" urgent className={styles.notice}>
          {i18n._(resetRefusal(refusal))}
        </Notice>
      )}
      <form.Field name="email">
        {(field) => (
          <EmailField
            label={<Trans>Email</Trans>}
            data-autofocus
            value={field.state.value}
            onChange={({ target }) => field.handleChange(target.value)}
            error={
              stored.email?.[0] ??
              (field.state.meta.errors.length > 0 || (failed?.fault === 'email' && !form.state.isSubmitted)
                ? i18n._(resetFieldMessages.email)
                : undefined)
            }
          />
        )}
      </form.Field>
      <form.Subscribe selector={(state) => state.isSubmitting}>
        {(pending) => (
          <Button type="submit" variant="primary" size="l" full loading={pending}>
            <Trans>Send link</Trans>
          </Button>
        )}
      </form.Subscribe>
    </form>
  )
}

/** The e-mail comes along from the page that opened it. */
export function FindPasswordModal({ data }: { data: unknown }) {
  const { email = rememberedEmail.get() } = (data ?? {}) as { email?: string }
  return <ResetRequestForm email={email} attempt={null} />
}
