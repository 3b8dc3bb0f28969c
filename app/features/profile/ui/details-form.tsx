import { Trans, useLingui } from '@lingui/react/macro'
import { useForm } from '@tanstack/react-form'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef } from 'react'
import type { Profile } from '#contract/accounts.ts'
import { useAddressSearch } from '~/features/address/use-address-search'
import { useAddressWords } from '~/features/address/use-address-words'
import { call } from '~/platform/api/call'
import { formatPhone, typedPhone, writesKoreanNumbers } from '~/platform/format/phone'
import { DirtyForm } from '~/platform/forms/dirty-forms'
import { focusFirstFault } from '~/platform/forms/focus-first-fault'
import { useValidationErrors } from '~/platform/forms/validation-errors'
import { meQuery, useSiteSettings } from '~/platform/shell/shell.queries'
import { AddressFields } from '~/ui/address-fields'
import { Button } from '~/ui/button'
import { TextField } from '~/ui/text-field'
import { useHydrated } from '~/ui/use-hydrated'
import { changeProfile } from '../profile.functions'
import { profileQuery } from '../profile.queries'
import type { ProfileAttempt } from '../profile-attempt'
import { type DetailField, detailsFrom, detailsOf, profileFieldMessages, readDetails } from '../profile-fields'
import { type Saving, useSave } from '../use-save'
import styles from './profile.module.css'
import { SaveOutcome } from './section'

interface DetailsFormProps {
  profile: Profile
  attempt: ProfileAttempt | null
  first: Saving
}

/** Name, phone and address. */
export function DetailsForm({ profile, attempt, first }: DetailsFormProps) {
  const { i18n } = useLingui()
  const queryClient = useQueryClient()
  const element = useRef<HTMLFormElement>(null)
  const { save, ...saving } = useSave(first, element)
  const stored = useValidationErrors()
  const korean = writesKoreanNumbers(useSiteSettings().base)
  const address = useAddressWords()
  const hydrated = useHydrated()
  const known = detailsOf(profile)

  const form = useForm({
    defaultValues: attempt?.details ?? { ...known, phone: formatPhone(known.phone, korean) },
    validators: {
      onSubmit: ({ value }) => {
        const read = readDetails(value)
        return read.ok ? undefined : { fields: Object.fromEntries(read.fields.map((field) => [field, 'wanted'])) }
      },
    },
    onSubmitInvalid: () => focusFirstFault(element.current),
    onSubmit: async ({ value }) => {
      const read = readDetails(value)
      if (!read.ok) return
      await save(async () => {
        const changed = await call((signal) => changeProfile({ data: read.data, signal }))
        queryClient.setQueryData(profileQuery.queryKey, changed)
        queryClient.setQueryData(meQuery.queryKey, (me) => me && { ...me, name: changed.name })
        const now = detailsOf(changed)
        form.reset({ ...now, phone: formatPhone(now.phone, korean) })
      })
    },
  })
  const search = useAddressSearch(({ postcode, road }) => {
    form.setFieldValue('address.postcode', postcode)
    form.setFieldValue('address.road', road)
    form.setFieldValue('address.detail', '')
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[name="address.detail"]')?.focus())
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { address: parts, ...typed } = detailsFrom(new FormData(event.currentTarget))
    for (const [name, value] of Object.entries(typed)) form.setFieldValue(name as keyof typeof typed, value)
    for (const [name, value] of Object.entries(parts))
      form.setFieldValue(`address.${name as keyof typeof parts}`, value)
    void form.handleSubmit()
  }

  const own: Partial<Record<DetailField, string>> = {
    'address.postcode': address.faults.postcode,
    'address.road': address.faults.road,
    'address.detail': address.faults.detail,
  }
  const errorOf = (name: DetailField, faulty: boolean) => {
    const message = profileFieldMessages[name]
    const words = own[name] ?? (message && i18n._(message))
    if (stored[name]?.[0]) return stored[name][0]
    if (faulty) return words
    const sent = form.state.isSubmitted ? undefined : attempt?.errors[name]
    return sent === undefined ? undefined : sent || words
  }

  return (
    <form ref={element} method="post" noValidate onSubmit={submit} className={styles.form}>
      <input type="hidden" name="form" value="details" />
      <form.Subscribe selector={(state) => state.isDirty && !state.isSubmitting}>
        {(dirty) => <DirtyForm dirty={dirty} />}
      </form.Subscribe>
      <dl className={styles.fact}>
        <dt>
          <Trans>E-mail</Trans>
        </dt>
        <dd dir="ltr">{profile.email}</dd>
      </dl>
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
                    legend={<Trans>Address</Trans>}
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
      <div className={styles.end}>
        <form.Subscribe selector={(state) => state.isSubmitting}>
          {(pending) => (
            <Button type="submit" variant="primary" loading={pending}>
              <Trans>Save</Trans>
            </Button>
          )}
        </form.Subscribe>
        <SaveOutcome {...saving} />
      </div>
    </form>
  )
}
