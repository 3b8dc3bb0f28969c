import { Trans, useLingui } from '@lingui/react/macro'
import { useForm } from '@tanstack/react-form'
import { type FormEvent, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { resetRequest } from '#contract/identity.ts'
import { call } from '~/platform/api/call'
import { problemOf, unknownError } from '~/platform/api/problem'
import { useFieldMessages } from '~/platform/api/validation-errors'
import { focusFirstInvalid } from '~/platform/focus'
import { rememberedEmail } from '~/platform/forms/credentials'
import { Button, MailboxLink } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { EmailField } from '~/ui/text-field'
import { type ResetField, type ResetOutcome, requestReset, resetFieldMessages, resetRefusal } from '../reset.functions'
import styles from './reset-forms.module.css'

interface ResetRequestFormProps {
  email: string
  /** Set after the form was posted without JavaScript. */
  outcome: ResetOutcome | null
}

/** Requests the email with the access key. The answer does not show whether there is an account. */
export function ResetRequestForm({ email: known, outcome }: ResetRequestFormProps) {
  const { i18n } = useLingui()
  const element = useRef<HTMLFormElement>(null)
  const [requested, setRequested] = useState(outcome?.requested ? { email: outcome.email, ...outcome.requested } : null)
  const [refusal, setRefusal] = useState(outcome?.code ?? null)

  const form = useForm({
    defaultValues: { email: outcome?.email || known },
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
        setRequested({ email: value.email, mailbox })
      } catch (error) {
        const problem = problemOf(error)
        setRefusal(problem?.status === 422 ? null : (problem?.code ?? unknownError))
        focusFirstInvalid(element.current)
      }
    },
  })
  const errorOf = useFieldMessages<ResetField>(resetFieldMessages, form.state.isSubmitted ? undefined : outcome?.errors)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    form.setFieldValue('email', String(new FormData(event.currentTarget).get('email') ?? '').trim())
    void form.handleSubmit()
  }

  if (requested) {
    return (
      <div className={styles.form}>
        <Notice tone="success" className={styles.notice}>
          <Trans>
            If <b dir="ltr">{requested.email}</b> has an account, we’ve sent a link. It expires in 10 minutes.
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
        {requested.mailbox && <MailboxLink href={requested.mailbox} label={<Trans>Open the demo mailbox</Trans>} />}
        <Button full variant="ghost" onClick={() => setRequested(null)}>
          <Trans>Try a different address</Trans>
        </Button>
      </div>
    )
  }
  return (
    <form ref={element} method="post" action="/reset-password" noValidate onSubmit={submit} className={styles.form}>
      <input type="hidden" name="intent" value="request" />
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
            error={errorOf('email', field.state.meta.errors.length > 0)}
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

const modalData = z.object({ email: z.string() })

/** The form in a modal. `data` is the email entered on the page that opened it. */
export function FindPasswordModal({ data }: { data: unknown }) {
  const email = modalData.safeParse(data).data?.email ?? rememberedEmail.get()
  return <ResetRequestForm email={email} outcome={null} />
}
