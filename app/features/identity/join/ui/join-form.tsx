import { Trans, useLingui } from '@lingui/react/macro'
import { useForm } from '@tanstack/react-form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { passwordStrength } from '#contract/password-strength.ts'
import { NameField, PhoneField } from '~/features/identity/contact-fields'
import { call } from '~/platform/api/call'
import { problemOf, unknownError } from '~/platform/api/problem'
import { toFieldErrors, useFieldMessages } from '~/platform/api/validation-errors'
import { focusFirstInvalid } from '~/platform/focus'
import { rememberedEmail, usePasswordLabels } from '~/platform/forms/credentials'
import { DirtyForm } from '~/platform/forms/dirty-forms'
import { Button } from '~/ui/button'
import { Checkbox } from '~/ui/choice'
import { Notice } from '~/ui/notice'
import { PasswordMeter } from '~/ui/password-meter'
import { EmailField, PasswordField } from '~/ui/text-field'
import { beginJoin, joinStepQuery } from '../join.functions'
import {
  emptyJoin,
  type JoinField,
  type JoinOutcome,
  joinFieldMessages,
  joinFields,
  joinRefusal,
  joinValuesOf,
  readJoin,
  savedJoin,
} from '../join-fields'
import { AgreeToAll, Consents, consents } from './consents'
import styles from './join-form.module.css'

interface JoinFormProps {
  /** Set after the form was posted without JavaScript. */
  outcome: JoinOutcome | null
  /** Where to return after the sign-up. */
  redirect: string | undefined
}

/** The state of the sign-up form, and what sends it. */
function useJoinForm({ outcome, redirect }: JoinFormProps, element: RefObject<HTMLFormElement | null>) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [refusal, setRefusal] = useState(outcome?.code ?? null)

  const form = useForm({
    defaultValues: outcome?.values ?? savedJoin.get() ?? { ...emptyJoin, email: rememberedEmail.get() },
    validators: {
      onSubmit: ({ value }) => toFieldErrors(readJoin(value)),
    },
    onSubmitInvalid: () => focusFirstInvalid(element.current),
    onSubmit: async ({ value }) => {
      const read = readJoin(value)
      if (!read.ok) return
      setRefusal(null)
      savedJoin.save(value)
      try {
        const step = await call((signal) => beginJoin({ data: read.data, signal }), {
          expected: [429],
          silent: true,
        })
        queryClient.setQueryData(joinStepQuery.queryKey, step)
        await navigate({ to: '/join/verify', search: { redirect } })
      } catch (error) {
        const problem = problemOf(error)
        const named = joinFields.some((field) => problem?.errors[field])
        setRefusal(named ? null : (problem?.code ?? unknownError))
        focusFirstInvalid(element.current)
      }
    },
  })

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A password manager may have filled the fields before hydration.
    const typed = joinValuesOf(new FormData(event.currentTarget))
    for (const name of joinFields) form.setFieldValue(name, typed[name])
    void form.handleSubmit()
  }
  return { form, refusal, submit }
}

/** The sign-up form: details and consents. Without script it posts to its own page. */
export function JoinForm(props: JoinFormProps) {
  const { i18n } = useLingui()
  const element = useRef<HTMLFormElement>(null)
  const { form, refusal, submit } = useJoinForm(props, element)
  const passwords = usePasswordLabels()
  const { outcome } = props
  const errorOf = useFieldMessages<JoinField>(joinFieldMessages, form.state.isSubmitted ? undefined : outcome?.errors)

  return (
    <form ref={element} method="post" noValidate onSubmit={submit} className={styles.form}>
      <form.Subscribe
        selector={(state) => state.isDirty && !state.isDefaultValue && !state.isSubmitting && !state.isSubmitSuccessful}
      >
        {(dirty) => <DirtyForm dirty={dirty} />}
      </form.Subscribe>
      {refusal && (
        <Notice tone="danger" urgent>
          {i18n._(joinRefusal(refusal))}
        </Notice>
      )}
      <form.Field name="email">
        {(field) => (
          <EmailField
            label={<Trans>Email</Trans>}
            hint={<Trans>We’ll send a code to this address.</Trans>}
            value={field.state.value}
            onChange={({ target }) => {
              field.handleChange(target.value)
              rememberedEmail.set(target.value)
            }}
            error={errorOf('email', field.state.meta.errors.length > 0)}
          />
        )}
      </form.Field>
      <form.Field name="password">
        {(field) => (
          <PasswordField
            name="password"
            autoComplete="new-password"
            label={<Trans>Password</Trans>}
            hint={passwords.rule}
            labels={passwords.toggle}
            value={field.state.value}
            onChange={({ target }) => field.handleChange(target.value)}
            error={errorOf('password', field.state.meta.errors.length > 0)}
          >
            <form.Subscribe selector={({ values }) => [values.email, values.name]}>
              {(personal) => (
                <PasswordMeter strength={passwordStrength(field.state.value, personal)} labels={passwords.meter} />
              )}
            </form.Subscribe>
          </PasswordField>
        )}
      </form.Field>
      <form.Field name="name">
        {(field) => (
          <NameField
            value={field.state.value}
            onChange={field.handleChange}
            error={errorOf('name', field.state.meta.errors.length > 0)}
          />
        )}
      </form.Field>
      <form.Field name="phone">
        {(field) => (
          <PhoneField
            value={field.state.value}
            onChange={field.handleChange}
            error={errorOf('phone', field.state.meta.errors.length > 0)}
          />
        )}
      </form.Field>
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
        box={(name, labels) => (
          <form.Field name={name}>
            {(field) => (
              <Checkbox
                {...labels}
                name={name}
                required={name !== 'agreeMarketing'}
                checked={field.state.value}
                onChange={({ target }) => field.handleChange(target.checked)}
                error={errorOf(name, field.state.meta.errors.length > 0)}
              />
            )}
          </form.Field>
        )}
      />
      <form.Subscribe selector={(state) => state.isSubmitting}>
        {(pending) => (
          <Button type="submit" variant="primary" size="l" full loading={pending}>
            <Trans>Send code</Trans>
          </Button>
        )}
      </form.Subscribe>
    </form>
  )
}
