import { Trans } from '@lingui/react/macro'
import { useForm } from '@tanstack/react-form'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef } from 'react'
import { passwordStrength } from '#contract/password-strength.ts'
import { call } from '~/platform/api/call'
import { toFieldErrors, useFieldMessages } from '~/platform/api/validation-errors'
import { focusFirstInvalid } from '~/platform/focus'
import { usePasswordLabels } from '~/platform/forms/credentials'
import { DirtyForm } from '~/platform/forms/dirty-forms'
import { Button } from '~/ui/button'
import { PasswordMeter } from '~/ui/password-meter'
import { PasswordField } from '~/ui/text-field'
import { changePassword, sessionsQuery } from '../profile.functions'
import {
  type PasswordField as PasswordName,
  type ProfileOutcome,
  passwordsFrom,
  profileFieldMessages,
  readPasswords,
} from '../profile-fields'
import styles from './profile.module.css'
import { SaveOutcome, type Saving, useSave } from './section'

interface PasswordFormProps {
  email: string
  name: string
  outcome: ProfileOutcome | null
  first: Saving
}

export function PasswordForm({ email, name, outcome, first }: PasswordFormProps) {
  const queryClient = useQueryClient()
  const element = useRef<HTMLFormElement>(null)
  const { save, ...saving } = useSave(first, element)
  const passwordLabels = usePasswordLabels()

  const form = useForm({
    defaultValues: { currentPassword: '', newPassword: '' },
    validators: {
      onSubmit: ({ value }) => toFieldErrors(readPasswords(value)),
    },
    onSubmitInvalid: () => focusFirstInvalid(element.current),
    onSubmit: async ({ value }) => {
      await save(async () => {
        await call((signal) => changePassword({ data: value, signal }), { expected: [429] })
        form.reset()
        await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = passwordsFrom(new FormData(event.currentTarget))
    form.setFieldValue('currentPassword', typed.currentPassword)
    form.setFieldValue('newPassword', typed.newPassword)
    void form.handleSubmit()
  }
  const errorOf = useFieldMessages<PasswordName>(
    profileFieldMessages,
    form.state.isSubmitted ? undefined : outcome?.errors,
  )

  return (
    <form ref={element} method="post" noValidate onSubmit={submit} className={styles.form}>
      <input type="hidden" name="form" value="password" />
      <form.Subscribe selector={(state) => state.isDirty && !state.isDefaultValue && !state.isSubmitting}>
        {(dirty) => <DirtyForm dirty={dirty} />}
      </form.Subscribe>
      {/* Password managers need the account of the password. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <form.Field name="currentPassword">
        {(field) => (
          <PasswordField
            name="currentPassword"
            label={<Trans>Current password</Trans>}
            labels={passwordLabels.toggle}
            value={field.state.value}
            onChange={({ target }) => field.handleChange(target.value)}
            error={errorOf('currentPassword', field.state.meta.errors.length > 0)}
          />
        )}
      </form.Field>
      <form.Field name="newPassword">
        {(field) => (
          <PasswordField
            name="newPassword"
            autoComplete="new-password"
            label={<Trans>New password</Trans>}
            hint={passwordLabels.rule}
            labels={passwordLabels.toggle}
            value={field.state.value}
            onChange={({ target }) => field.handleChange(target.value)}
            error={errorOf('newPassword', field.state.meta.errors.length > 0)}
          >
            <PasswordMeter
              strength={passwordStrength(field.state.value, [email, name])}
              labels={passwordLabels.meter}
            />
          </PasswordField>
        )}
      </form.Field>
      <div className={styles.end}>
        <form.Subscribe selector={(state) => state.isSubmitting}>
          {(pending) => (
            <Button type="submit" variant="primary" loading={pending}>
              <Trans>Change password</Trans>
            </Button>
          )}
        </form.Subscribe>
        <SaveOutcome {...saving} />
      </div>
    </form>
  )
}
