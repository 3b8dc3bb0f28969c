import { Trans } from '@lingui/react/macro'
import { useForm } from '@tanstack/react-form'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef } from 'react'
import type { Profile } from '#contract/identity.ts'
import { usePostalAddress } from '~/features/identity/address/use-postal-address'
import { NameField, PhoneField } from '~/features/identity/contact-fields'
import { call } from '~/platform/api/call'
import { toFieldErrors, useFieldMessages } from '~/platform/api/validation-errors'
import { focusFirstInvalid } from '~/platform/focus'
import { DirtyForm } from '~/platform/forms/dirty-forms'
import { usePhoneField } from '~/platform/forms/use-phone-field'
import { useDraft } from '~/platform/session/session-change'
import { meQuery } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { changeProfile, profileQuery } from '../profile.functions'
import {
  type DetailField,
  detailsFrom,
  detailsOf,
  type ProfileOutcome,
  profileFieldMessages,
  readDetails,
} from '../profile-fields'
import styles from './profile.module.css'
import { SaveOutcome, type Saving, useSave } from './section'

interface DetailsFormProps {
  profile: Profile
  outcome: ProfileOutcome | null
  first: Saving
}

/** Name, phone and address. */
export function DetailsForm({ profile, outcome, first }: DetailsFormProps) {
  const queryClient = useQueryClient()
  const element = useRef<HTMLFormElement>(null)
  const { save, ...saving } = useSave(first, element)
  useDraft(element, 'details')
  const phone = usePhoneField()
  const savedDetails = detailsOf(profile)

  const form = useForm({
    defaultValues: outcome?.details ?? { ...savedDetails, phone: phone.written(savedDetails.phone) },
    validators: {
      onSubmit: ({ value }) => toFieldErrors(readDetails(value)),
    },
    onSubmitInvalid: () => focusFirstInvalid(element.current),
    onSubmit: async ({ value }) => {
      const read = readDetails(value)
      if (!read.ok) return
      await save(async () => {
        const changed = await call((signal) => changeProfile({ data: read.data, signal }))
        queryClient.setQueryData(profileQuery.queryKey, changed)
        queryClient.setQueryData(meQuery.queryKey, (me) => me && { ...me, name: changed.name })
        const now = detailsOf(changed)
        form.reset({ ...now, phone: phone.written(now.phone) })
      })
    },
  })
  const address = usePostalAddress(element, (name, value) => form.setFieldValue(name, value))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { name, phone, address } = detailsFrom(new FormData(event.currentTarget))
    form.setFieldValue('name', name)
    form.setFieldValue('phone', phone)
    form.setFieldValue('address', address)
    void form.handleSubmit()
  }

  const errorOf = useFieldMessages<DetailField>(
    { ...profileFieldMessages, ...address.messages },
    form.state.isSubmitted ? undefined : outcome?.errors,
  )

  return (
    <form ref={element} method="post" noValidate onSubmit={submit} className={styles.form}>
      <input type="hidden" name="form" value="details" />
      <form.Subscribe selector={(state) => state.isDirty && !state.isDefaultValue && !state.isSubmitting}>
        {(dirty) => <DirtyForm dirty={dirty} />}
      </form.Subscribe>
      <dl className={styles.fact}>
        <dt>
          <Trans>Email</Trans>
        </dt>
        <dd>
          <bdi dir="ltr">{profile.email}</bdi>
        </dd>
      </dl>
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
      {address.draw({
        legend: <Trans>Address (optional)</Trans>,
        field: (name, draw) => <form.Field name={name}>{draw}</form.Field>,
        errorOf,
      })}
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
