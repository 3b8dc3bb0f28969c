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
import { Checkbox } from '~/ui/choice'
import { Notice } from '~/ui/notice'
import { PasswordMeter } from '~/ui/password-meter'
import { PasswordField } from '~/ui/text-field'
import { consentMessages, consentsIn } from '../../join/join-fields'
import { AgreeToAll, Consents, consents } from '../../join/ui/consents'
import {
  isKeyInvalid,
  type ResetField,
  type ResetOutcome,
  resetFieldMessages,
  resetFields,
  resetRefusal,
  submitReset,
} from '../reset.functions'
import styles from './reset-forms.module.css'

interface ResetFormProps {
  accessKey: string
  /** The account of the new password. */
  email: string
  /** Whether it is the account’s first password, with the consents of a sign-up. */
  needsConsents: boolean
  /** Set after the form was posted without JavaScript. */
  outcome: ResetOutcome | null
}

/** Here, because other pages load `reset.functions`. */
const fieldMessages = { ...resetFieldMessages, ...consentMessages }

const noConsents = { agreeTerms: false, agreePrivacy: false, isOldEnough: false, agreeMarketing: false }

const schemaOf = (required: z.ZodMiniBoolean<boolean>) =>
  z.object({
    password: newPassword,
    agreeTerms: required,
    agreePrivacy: required,
    isOldEnough: required,
    agreeMarketing: z.boolean(),
  })
const anyPassword = schemaOf(z.boolean())
const firstPassword = schemaOf(z.boolean().check(z.refine(Boolean)))

/** Sets a new password. The key is valid once. */
export function ResetForm({ accessKey, email, needsConsents, outcome }: ResetFormProps) {
  const { i18n } = useLingui()
  const navigate = useNavigate()
  const router = useRouter()
  const element = useRef<HTMLFormElement>(null)
  const [refusal, setRefusal] = useState(outcome?.code ?? null)
  const labels = usePasswordLabels()

  const form = useForm({
    defaultValues: { password: '', ...noConsents },
    validators: { onSubmit: needsConsents ? firstPassword : anyPassword },
    onSubmitInvalid: () => focusFirstInvalid(element.current),
    onSubmit: async ({ value }) => {
      setRefusal(null)
      try {
        await call((signal) => submitReset({ data: { accessKey, ...value }, signal }), {
          expected: [404, 409, 410, 429],
        })
        rememberedEmail.set(email)
        const notice = needsConsents ? 'PASSWORD_SET' : 'PASSWORD_CHANGED'
        await navigate({ to: '/login', search: { notice }, replace: true })
      } catch (error) {
        const problem = problemOf(error)
        // The page shows that the key is invalid and offers another.
        if (problem && isKeyInvalid(problem.status)) return router.invalidate()
        const isNamed = resetFields.some((field) => problem?.errors[field])
        setRefusal(isNamed ? null : (problem?.code ?? unknownError))
        focusFirstInvalid(element.current)
      }
    },
  })
  const errorOf = useFieldMessages<ResetField>(fieldMessages, form.state.isSubmitted ? undefined : outcome?.errors)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    form.setFieldValue('password', String(typed.get('password') ?? ''))
    const agreed = consentsIn(typed)
    for (const name of consents) form.setFieldValue(name, agreed[name])
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
            label={needsConsents ? <Trans>Password</Trans> : <Trans>New password</Trans>}
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
      {needsConsents && (
        <Consents
          all={
            <form.Subscribe selector={({ values }) => consents.map((name) => values[name])}>
              {(agreements) => (
                <AgreeToAll
                  values={agreements}
                  onChange={(agreed) => {
                    for (const name of consents) form.setFieldValue(name, agreed)
                  }}
                />
              )}
            </form.Subscribe>
          }
          box={(name, texts) => (
            <form.Field name={name}>
              {(field) => (
                <Checkbox
                  {...texts}
                  name={name}
                  required={name !== 'agreeMarketing'}
                  checked={field.state.value}
                  onChange={({ target }) => field.handleChange(target.checked)}
                  error={name === 'agreeMarketing' ? undefined : errorOf(name, field.state.meta.errors.length > 0)}
                />
              )}
            </form.Field>
          )}
        />
      )}
      <form.Subscribe selector={(state) => state.isSubmitting}>
        {(pending) => (
          <Button type="submit" variant="primary" size="l" full loading={pending}>
            {needsConsents ? <Trans>Set password</Trans> : <Trans>Reset password</Trans>}
          </Button>
        )}
      </form.Subscribe>
      <p className={styles.text}>
        {needsConsents ? (
          <Trans>You’ll then sign in with it.</Trans>
        ) : (
          <Trans>You’ll be signed out everywhere. Sign in again with your new password.</Trans>
        )}
      </p>
    </form>
  )
}
