import { Trans, useLingui } from '@lingui/react/macro'
import { useForm } from '@tanstack/react-form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { useAddressSearch } from '~/features/address/use-address-search'
import { useAddressWords } from '~/features/address/use-address-words'
import { call } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { formatPhone, typedPhone, writesKoreanNumbers } from '~/platform/format/phone'
import { DirtyForm } from '~/platform/forms/dirty-forms'
import { focusFirstFault } from '~/platform/forms/focus-first-fault'
import { keptEmail } from '~/platform/forms/kept-email'
import { passwordStrength } from '~/platform/forms/password-strength'
import { usePasswordWords } from '~/platform/forms/use-password-words'
import { useValidationErrors } from '~/platform/forms/validation-errors'
import { useSiteSettings } from '~/platform/shell/shell.queries'
import { AddressFields } from '~/ui/address-fields'
import { Button } from '~/ui/button'
import { Checkbox } from '~/ui/checkbox'
import { Notice } from '~/ui/notice'
import { PasswordField } from '~/ui/password-field'
import { PasswordMeter } from '~/ui/password-meter'
import { TextField } from '~/ui/text-field'
import { useHydrated } from '~/ui/use-hydrated'
import { beginJoin } from '../join.functions'
import { joinStepQuery } from '../join.queries'
import { type JoinAttempt, joinRefusal } from '../join-attempt'
import { emptyJoin, type JoinField, joinFieldMessages, joinFields, joinValuesOf, readJoin } from '../join-fields'
import { keptJoin } from '../kept-join'
import { Consents } from './consents'
import styles from './join-form.module.css'

interface JoinFormProps {
  /** The outcome of a form that was sent without script. */
  attempt: JoinAttempt | null
  /** Where to go back to once joined. */
  redirect: string | undefined
}

/** Who one is, and what one agrees to. Without script it is a plain form that posts to the page it stands on. */
export function JoinForm({ attempt, redirect }: JoinFormProps) {
  const { i18n } = useLingui()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const element = useRef<HTMLFormElement>(null)
  const [refusal, setRefusal] = useState(attempt?.code ?? null)
  const stored = useValidationErrors()
  const korean = writesKoreanNumbers(useSiteSettings().base)
  const passwords = usePasswordWords()
  const address = useAddressWords()
  const hydrated = useHydrated()

  const form = useForm({
    defaultValues: attempt?.values ?? keptJoin.get() ?? { ...emptyJoin, email: keptEmail.get() },
    validators: {
      onSubmit: ({ value }) => {
        const read = readJoin(value)
        return read.ok ? undefined : { fields: Object.fromEntries(read.fields.map((field) => [field, 'wanted'])) }
      },
    },
    onSubmitInvalid: () => focusFirstFault(element.current),
    onSubmit: async ({ value }) => {
      const read = readJoin(value)
      if (!read.ok) return
      setRefusal(null)
      keptJoin.keep(value)
      try {
        const step = await call((signal) => beginJoin({ data: read.data, signal }), { expected: [429] })
        queryClient.setQueryData(joinStepQuery.queryKey, step)
        await navigate({ to: '/join/verify', search: { redirect } })
      } catch (error) {
        const problem = problemOf(error)
        const named = joinFields.some((field) => problem?.errors[field])
        setRefusal(named ? null : (problem?.code ?? 'ERROR'))
        focusFirstFault(element.current)
      }
    },
  })
  const search = useAddressSearch(({ postcode, road }) => {
    form.setFieldValue('address.postcode', postcode)
    form.setFieldValue('address.road', road)
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[name="address.detail"]')?.focus())
  })

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A password manager may have filled the fields before the page woke up.
    const { address: parts, ...typed } = joinValuesOf(new FormData(event.currentTarget))
    for (const [name, value] of Object.entries(typed)) form.setFieldValue(name as keyof typeof typed, value)
    for (const [name, value] of Object.entries(parts))
      form.setFieldValue(`address.${name as keyof typeof parts}`, value)
    void form.handleSubmit()
  }

  const own: Partial<Record<JoinField, string>> = {
    'address.postcode': address.faults.postcode,
    'address.road': address.faults.road,
    'address.detail': address.faults.detail,
  }
  const errorOf = (name: JoinField, faulty: boolean) => {
    const message = joinFieldMessages[name]
    const words = own[name] ?? (message && i18n._(message))
    if (stored[name]?.[0]) return stored[name][0]
    if (faulty) return words
    const sent = form.state.isSubmitted ? undefined : attempt?.errors[name]
    return sent === undefined ? undefined : sent || words
  }

  return (
    <form ref={element} method="post" noValidate onSubmit={submit} className={styles.form}>
      <form.Subscribe selector={(state) => state.isDirty && !state.isSubmitting && !state.isSubmitSuccessful}>
        {(dirty) => <DirtyForm dirty={dirty} />}
      </form.Subscribe>
      {refusal && (
        <Notice tone="danger" urgent>
          {i18n._(joinRefusal(refusal))}
        </Notice>
      )}
      <form.Field name="email">
        {(field) => (
          <TextField
            name="email"
            type="email"
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            label={<Trans>E-mail</Trans>}
            hint={<Trans>A code is sent there, to show that it is yours.</Trans>}
            value={field.state.value}
            onChange={({ target }) => {
              field.handleChange(target.value)
              keptEmail.keep(target.value)
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
          <TextField
            name="name"
            autoComplete="name"
            dir="auto"
            label={<Trans>Name</Trans>}
            value={field.state.value}
            onChange={({ target }) => field.handleChange(target.value)}
            error={errorOf('name', field.state.meta.errors.length > 0)}
          />
        )}
      </form.Field>
      <form.Field name="phone">
        {(field) => (
          <TextField
            name="phone"
            type="tel"
            autoComplete="tel"
            dir="ltr"
            label={<Trans>Phone</Trans>}
            placeholder={korean ? '010-0000-0000' : '+00 000 000 000'}
            value={field.state.value}
            onChange={({ target }) => field.handleChange(typedPhone(target, korean))}
            onBlur={() => field.handleChange(formatPhone(field.state.value, korean))}
            error={errorOf('phone', field.state.meta.errors.length > 0)}
          />
        )}
      </form.Field>
      <form.Field name="address.postcode">
        {(postcode) => (
          <form.Field name="address.road">
            {(road) => (
              <form.Field name="address.detail">
                {(detail) => (
                  <AddressFields
                    legend={<Trans>Address, if you like</Trans>}
                    names={{ postcode: 'address.postcode', road: 'address.road', detail: 'address.detail' }}
                    labels={address.labels}
                    values={{
                      postcode: postcode.state.value,
                      road: road.state.value,
                      detail: detail.state.value,
                    }}
                    errors={{
                      postcode: errorOf('address.postcode', postcode.state.meta.errors.length > 0),
                      road: errorOf('address.road', road.state.meta.errors.length > 0),
                      detail: errorOf('address.detail', detail.state.meta.errors.length > 0),
                    }}
                    onChange={(part, value) => ({ postcode, road, detail })[part].handleChange(value)}
                    search={
                      hydrated
                        ? {
                            label: address.search,
                            onSearch: () => search(road.state.value || postcode.state.value),
                          }
                        : undefined
                    }
                  />
                )}
              </form.Field>
            )}
          </form.Field>
        )}
      </form.Field>
      <Consents
        box={(name, words) => (
          <form.Field name={name}>
            {(field) => (
              <Checkbox
                {...words}
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
            <Trans>Send me the code</Trans>
          </Button>
        )}
      </form.Subscribe>
    </form>
  )
}
