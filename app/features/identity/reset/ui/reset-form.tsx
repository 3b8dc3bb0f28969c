import { Trans, useLingui } from '@lingui/react/macro'
import { useForm } from '@tanstack/react-form'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { newPassword } from '#contract/identity.ts'
import { passwordStrength } from '#contract/password-strength.ts'
import { call } from '~/platform/api/call'
import { problemOf, unknownError } from '~/platform/api/problem'
import { useFieldMessages } from '~/platform/api/validation-errors'
import { focusFirstInvalid } from '~/platform/focus'
import { rememberedEmail, usePasswordLabels } from '~/platform/forms/credentials'
import { DirtyForm } from '~/platform/forms/dirty-forms'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { PasswordMeter } from '~/ui/password-meter'
import { PasswordField } from '~/ui/text-field'
import {
  isKeyInvalid,
  type ResetField,
  type ResetOutcome,
  resetFieldMessages,
  resetRefusal,
  submitReset,
} from '../reset.functions'
import styles from './reset-forms.module.css'

interface ResetFormProps {
  accessKey: string
  /** The account of the new password. */
  email: string
  /** Set after the form was posted without JavaScript. */
  outcome: ResetOutcome | null
}

/** Sets a new password. The key is valid once. */
export function ResetForm({ accessKey, email, outcome }: ResetFormProps) {
  const { i18n } = useLingui()
  const navigate = useNavigate()
  const router = useRouter()
  const element = useRef<HTMLFormElement>(null)
  const [refusal, setRefusal] = useState(outcome?.code ?? null)
  const labels = usePasswordLabels()

  const form = useForm({
    defaultValues: { password: '' },
    validators: { onSubmit: z.object({ password: newPassword }) },
    onSubmitInvalid: () => focusFirstInvalid(element.current),
    onSubmit: async ({ value }) => {
      setRefusal(null)
      try {
        await call((signal) => submitReset({ data: { accessKey, ...value }, signal }), {
          expected: [404, 409, 410, 429],
        })
        rememberedEmail.set(email)
        await navigate({ to: '/login', search: { notice: 'PASSWORD_CHANGED' }, replace: true })
      } catch (error) {
        const problem = problemOf(error)
        // The page shows that the key is invalid and offers another.
        if (problem && isKeyInvalid(problem.status)) return router.invalidate()
        setRefusal(problem?.errors.password ? null : (problem?.code ?? unknownError))
        focusFirstInvalid(element.current)
      }
    },
  })
  const errorOf = useFieldMessages<ResetField>(resetFieldMessages, form.state.isSubmitted ? undefined : outcome?.errors)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    form.setFieldValue('password', String(new FormData(event.currentTarget).get('password') ?? ''))
    void form.handleSubmit()
  }

  return (
    <form ref={element} method="post" noValidate onSubmit={submit} className={styles.form}>
      <form.Subscribe
        selector={(state) => state.isDirty && !state.isDefaultValue && !state.isSubmitting && !state.isSubmitSuccessful}
      >
        {(dirty) => <DirtyForm dirty={dirty} />}
      </form.Subscribe>
      {/* Password managers look for the account. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {refusal && (
        <Notice tone="danger" urgent className={styles.notice}>
          {i18n._(resetRefusal(refusal))}
        </Notice>
      )}
      <form.Field name="password">
        {(field) => (
          <PasswordField
            name="password"
            autoComplete="new-password"
            label={<Trans>New password</Trans>}
            hint={labels.rule}
            labels={labels.toggle}
            value={field.state.value}
            onChange={({ target }) => field.handleChange(target.value)}
            error={errorOf('password', field.state.meta.errors.length > 0)}
          >
            <PasswordMeter strength={passwordStrength(field.state.value, [email])} labels={labels.meter} />
          </PasswordField>
        )}
      </form.Field>
      <form.Subscribe selector={(state) => state.isSubmitting}>
        {(pending) => (
          <Button type="submit" variant="primary" size="l" full loading={pending}>
            <Trans>Reset password</Trans>
          </Button>
        )}
      </form.Subscribe>
      <p className={styles.text}>
        <Trans>You’ll be signed out everywhere. Sign in again with your new password.</Trans>
      </p>
    </form>
  )
}
