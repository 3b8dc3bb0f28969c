import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { type JoinForm, joinForm } from '#contract/accounts.ts'

/** The form's fields by their names, which are also the paths of the API's errors. */
export const joinFields = [
  'email',
  'password',
  'name',
  'phone',
  'address.postcode',
  'address.road',
  'address.detail',
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
  address: { postcode: string; road: string; detail: string }
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
  address: { postcode: '', road: '', detail: '' },
  agreeTerms: false,
  agreePrivacy: false,
  isOldEnough: false,
  agreeMarketing: false,
}

/** What each field wants. */
export const joinFieldMessages: Partial<Record<JoinField, MessageDescriptor>> = {
  email: msg`Enter an e-mail address, such as name@example.com.`,
  password: msg`Choose a password of at least 8 characters.`,
  name: msg`Enter your name.`,
  phone: msg`Enter a phone number at which you can be reached.`,
  agreeTerms: msg`The store needs your consent to its terms of use.`,
  agreePrivacy: msg`The store needs your consent to keep what you enter here.`,
  isOldEnough: msg`You have to be 14 or older to join.`,
}

type Read = { ok: true; data: JoinForm } | { ok: false; fields: JoinField[] }

/** The form as the API takes it, or the fields that are not right yet. An address that was left empty is none. */
export function readJoin({ address, ...values }: JoinValues): Read {
  const given = Object.values(address).some((part) => part.trim() !== '')
  const parsed = z.safeParse(joinForm, { ...values, email: values.email.trim(), ...(given ? { address } : {}) })
  if (parsed.success) return { ok: true, data: parsed.data as JoinForm }
  const paths = new Set(parsed.error.issues.map(({ path }) => path.join('.')))
  return { ok: false, fields: joinFields.filter((field) => paths.has(field)) }
}

/** The values of a real form, as it stands in the page or came in a post. */
export function joinValuesOf(form: FormData): JoinValues {
  const text = (field: JoinField) => String(form.get(field) ?? '')
  return {
    email: text('email'),
    password: text('password'),
    name: text('name'),
    phone: text('phone'),
    address: { postcode: text('address.postcode'), road: text('address.road'), detail: text('address.detail') },
    agreeTerms: form.has('agreeTerms'),
    agreePrivacy: form.has('agreePrivacy'),
    isOldEnough: form.has('isOldEnough'),
    agreeMarketing: form.has('agreeMarketing'),
  }
}
