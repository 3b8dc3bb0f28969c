import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { type Profile, passwordChange, profileChange } from '#contract/identity.ts'
import {
  type AddressValues,
  addressFields,
  addressValuesOf,
  emptyAddress,
  isFilled,
} from '~/features/identity/address/address.functions'
import { refusalMessages } from '~/platform/api/failures'
import { invalidFields, type ReadValues } from '~/platform/api/validation-errors'
import type { RefusedForm } from '~/platform/request/form-post'
import type { ProfileForm } from './profile.functions'

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

/** Validates the details. An emptied phone number or address is removed. */
export function readDetails({ name, phone, address }: Details): ReadValues<z.input<typeof profileChange>, DetailField> {
  const change = { name, phone: phone.trim() || null, address: isFilled(address) ? address : null }
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

/** Reads the values of the form's element or post. */
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

/** The state of the page after a refused form post without JavaScript. */
export interface ProfileOutcome extends RefusedForm<DetailField | PasswordField> {
  form: ProfileForm
  /** The entered details. */
  details: Details | null
}

/** The message of a refused form, by problem code. */
export const profileRefusal = refusalMessages({
  otherwise: msg`We couldn’t save your changes. Try again in a moment.`,
})
