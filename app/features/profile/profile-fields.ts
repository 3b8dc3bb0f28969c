import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { type Profile, passwordChange, profileChange } from '#contract/accounts.ts'

/** The profile's forms, each sent by itself; the word stands in the form and in the address it leads back to. */
export const profileForms = ['details', 'preferences', 'password', 'session', 'sessions'] as const
export type ProfileForm = (typeof profileForms)[number]

export const detailFields = ['name', 'phone', 'address.postcode', 'address.road', 'address.detail'] as const
export type DetailField = (typeof detailFields)[number]
export type PasswordField = 'currentPassword' | 'newPassword'

export interface Details {
  name: string
  phone: string
  address: { postcode: string; road: string; detail: string }
}

const noAddress = { postcode: '', road: '', detail: '' }

export const detailsOf = ({ name, phone, address }: Profile): Details => ({
  name,
  phone: phone ?? '',
  address: address ? { ...noAddress, ...address } : noAddress,
})

/** What each field wants. */
export const profileFieldMessages: Partial<Record<DetailField | PasswordField, MessageDescriptor>> = {
  name: msg`Enter your name.`,
  phone: msg`Enter a phone number at which you can be reached.`,
  currentPassword: msg`Enter the password you have now.`,
  newPassword: msg`Choose a password of at least 8 characters.`,
}

type Read<Data, Field> = { ok: true; data: Data } | { ok: false; fields: Field[] }

const fieldsAtFault = <Field extends string>(issues: readonly { path: PropertyKey[] }[], fields: readonly Field[]) => {
  const paths = new Set(issues.map(({ path }) => path.join('.')))
  return fields.filter((field) => paths.has(field))
}

/** The details as the API takes them, or the fields that are not right. An emptied address is taken away. */
export function readDetails({ name, phone, address }: Details): Read<z.input<typeof profileChange>, DetailField> {
  const given = Object.values(address).some((part) => part.trim() !== '')
  const change = { name, ...(phone.trim() ? { phone } : {}), address: given ? address : null }
  const parsed = z.safeParse(profileChange, change)
  return parsed.success
    ? { ok: true, data: change }
    : { ok: false, fields: fieldsAtFault(parsed.error.issues, detailFields) }
}

export const passwordFields = ['currentPassword', 'newPassword'] as const

export function readPasswords(
  values: Record<PasswordField, string>,
): Read<Record<PasswordField, string>, PasswordField> {
  const parsed = z.safeParse(passwordChange, values)
  return parsed.success
    ? { ok: true, data: parsed.data }
    : { ok: false, fields: fieldsAtFault(parsed.error.issues, passwordFields) }
}

/** The values of a real form, as it stands in the page or came in a post. */
export function detailsFrom(form: FormData): Details {
  const text = (field: DetailField) => String(form.get(field) ?? '')
  return {
    name: text('name'),
    phone: text('phone'),
    address: { postcode: text('address.postcode'), road: text('address.road'), detail: text('address.detail') },
  }
}

export const passwordsFrom = (form: FormData): Record<PasswordField, string> => ({
  currentPassword: String(form.get('currentPassword') ?? ''),
  newPassword: String(form.get('newPassword') ?? ''),
})
