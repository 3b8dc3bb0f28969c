import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { type JoinForm, joinForm } from '#contract/accounts.ts'
import { invalidFields, type ReadValues } from '~/platform/forms/validation-errors'

/** The form's fields by their names, which are also the paths of the API's errors. */
export const joinFields = [
  'email',
  'password',
  'name',
  'phone',
  'agreeTerms',
  'agreePrivacy',
  'isOldEnough',
  'agreeMarketing',
] as const
export type JoinField = (typeof joinFields)[number]

export interface JoinValues {
  email: string
  password: string
  name: string
  phone: string
  agreeTerms: boolean
  agreePrivacy: boolean
  isOldEnough: boolean
  agreeMarketing: boolean
}

/** Nothing is ticked for anyone. */
export const emptyJoin: JoinValues = {
  email: '',
  password: '',
  name: '',
  phone: '',
  agreeTerms: false,
  agreePrivacy: false,
  isOldEnough: false,
  agreeMarketing: false,
}

/** What each field wants. */
export const joinFieldMessages: Partial<Record<JoinField, MessageDescriptor>> = {
  email: msg`Enter a valid email address, such as name@example.com.`,
  password: msg`Use at least 8 characters.`,
  name: msg`Use up to 80 characters.`,
  phone: msg`Enter a valid phone number.`,
  agreeTerms: msg`Agree to the Terms of Use to continue.`,
  agreePrivacy: msg`Agree to the Privacy Policy to continue.`,
  isOldEnough: msg`You must be 14 or older to create an account.`,
}

/** The form as the API takes it, or the fields that are not right yet. */
export function readJoin({ phone, ...values }: JoinValues): ReadValues<JoinForm, JoinField> {
  const parsed = z.safeParse(joinForm, {
    ...values,
    email: values.email.trim(),
    ...(phone.trim() ? { phone } : {}),
  })
  return parsed.success
    ? { ok: true, data: parsed.data as JoinForm }
    : { ok: false, fields: invalidFields(parsed.error.issues, joinFields) }
}

/** The values of a real form, as it stands in the page or came in a post. */
export function joinValuesOf(form: FormData): JoinValues {
  const text = (field: JoinField) => String(form.get(field) ?? '')
  // Without script the boxes below do not follow it. It stands for what is required alone: mails need a yes of their own.
  const all = form.has('agreeAll')
  return {
    email: text('email'),
    password: text('password'),
    name: text('name'),
    phone: text('phone'),
    agreeTerms: all || form.has('agreeTerms'),
    agreePrivacy: all || form.has('agreePrivacy'),
    isOldEnough: all || form.has('isOldEnough'),
    agreeMarketing: form.has('agreeMarketing'),
  }
}
