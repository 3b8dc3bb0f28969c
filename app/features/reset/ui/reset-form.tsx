import { Trans, useLingui } from '@lingui/react/macro'
import { useForm } from '@tanstack/react-form'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { newPassword } from '#contract/accounts.ts'
import { call } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { focusFirstInvalid } from '~/platform/focus'
import { passwordStrength, rememberedEmail, usePasswordLabels } from '~/platform/forms/credentials'
import { DirtyForm } from '~/platform/forms/dirty-forms'
import { useValidationErrors } from '~/platform/forms/validation-errors'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { PasswordField, PasswordMeter } from '~/ui/password-field'
import { submitReset } from '../reset.functions'
import { isKeyInvalid, type ResetAttempt, resetFieldMessages, resetRefusal } from '../reset-attempt'
import styles from './reset-forms.module.css'

interface ResetFormProps {
  accessKey: string
  /** Whose password it is. */
  email: string
  /** The outcome of a form that was sent without script. */
  attempt: ResetAttempt | null
}

/** Chooses a new password, once. */
export function ResetForm({ accessKey, email, attempt }: ResetFormProps) {
  const { i18n } = useLingui()
  const navigate = useNavigate()
  const router = useRouter()
  const failed = attempt?.did === 'NOTHING' ? attempt : null
  const element = useRef<HTMLFormElement>(null)
  const [refusal, setRefusal] = useState(failed?.code ?? null)
  const stored = useValidationErrors()
  const words = usePasswordLabels()

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
        // The page finds out that the key is spent, and offers another.
        if (problem && isKeyInvalid(problem.status)) return router.invalidate()
        setRefusal(problem?.errors.password ? null : (problem?.code ?? 'ERROR'))
        focusFirstInvalid(element.current)
      }
    },
  })
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
      {/* Password managers ask for whom the password is. */}
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
            hint={words.rule}
            labels={words.toggle}
            value={field.state.value}
            onChange={({ target }) => field.handleChange(target.value)}
            error={
              stored.password?.[0] ??
              (field.state.meta.errors.length > 0
                ? i18n._(resetFieldMessages.password)
                : failed?.fault === 'password' && !form.state.isSubmitted
                  ? (failed.words ?? i18n._(resetFieldMessages.password))
                  : undefined)
            }
          >
            <PasswordMeter strength={passwordStrength(field.state.value, [email])} labels={words.meter} />
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
