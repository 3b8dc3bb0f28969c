import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { type Profile, passwordChange, profileChange } from '#contract/accounts.ts'
import {
  type AddressValues,
  addressFields,
  addressValuesOf,
  emptyAddress,
  isGiven,
} from '~/platform/forms/address-values'
import { invalidFields, type ReadValues } from '~/platform/forms/validation-errors'

/** The profile's forms, each sent by itself; the word stands in the form and in the address it leads back to. */
export const profileForms = ['details', 'preferences', 'password', 'session', 'sessions'] as const
export type ProfileForm = (typeof profileForms)[number]

export const detailFields = ['name', 'phone', ...addressFields] as const
export type DetailField = (typeof detailFields)[number]
export type PasswordField = 'currentPassword' | 'newPassword'

export interface Details {
  name: string
  phone: string
  address: AddressValues
}

export const detailsOf = ({ name, phone, address }: Profile): Details => ({
  name,
  phone: phone ?? '',
  address: { ...emptyAddress, ...address },
})

/** The message of each invalid field. */
export const profileFieldMessages: Partial<Record<DetailField | PasswordField, MessageDescriptor>> = {
  name: msg`Use up to 80 characters.`,
  phone: msg`Enter a valid phone number.`,
  currentPassword: msg`Enter your current password.`,
  newPassword: msg`Use at least 8 characters.`,
}

/** The details as the API takes them, or the fields that are not right. An emptied phone or address is removed. */
export function readDetails({ name, phone, address }: Details): ReadValues<z.input<typeof profileChange>, DetailField> {
  const change = { name, phone: phone.trim() || null, address: isGiven(address) ? address : null }
  const parsed = z.safeParse(profileChange, change)
  return parsed.success
    ? { ok: true, data: change }
    : { ok: false, fields: invalidFields(parsed.error.issues, detailFields) }
}

export const passwordFields = ['currentPassword', 'newPassword'] as const

export function readPasswords(
  values: Record<PasswordField, string>,
): ReadValues<Record<PasswordField, string>, PasswordField> {
  const parsed = z.safeParse(passwordChange, values)
  return parsed.success
    ? { ok: true, data: parsed.data }
    : { ok: false, fields: invalidFields(parsed.error.issues, passwordFields) }
}

/** The values of a real form, as it stands in the page or came in a post. */
export function detailsFrom(form: FormData): Details {
  const text = (field: 'name' | 'phone') => String(form.get(field) ?? '')
  return {
    name: text('name'),
    phone: text('phone'),
    address: addressValuesOf(form),
  }
}

export const passwordsFrom = (form: FormData): Record<PasswordField, string> => ({
  currentPassword: String(form.get('currentPassword') ?? ''),
  newPassword: String(form.get('newPassword') ?? ''),
})

/** A form of the profile that was sent without script and not taken. */
export interface ProfileAttempt {
  form: ProfileForm
  /** What was typed into the details. */
  details: Details | null
  /** The words of the refusal by field; empty where the field's own words will do. */
  errors: Partial<Record<DetailField | PasswordField, string>>
  code: string | null
}

const refusals: Record<string, MessageDescriptor> = {
  RATE_LIMITED: msg`Too many attempts. Wait a few minutes and try again.`,
}

/** Why nothing was changed, as a sentence. */
export const profileRefusal = (code: string): MessageDescriptor =>
  refusals[code] ?? msg`We couldn’t save your changes. Try again in a moment.`
