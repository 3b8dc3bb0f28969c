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

/** No box is ticked beforehand. */
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

/** The message of each invalid field. */
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

/** A form that was sent without script and did not get through: what was typed (never the password), and what is wrong. */
export interface JoinAttempt {
  values: JoinValues
  /** The words of the refusal by field; empty where the field's own words will do. */
  errors: Partial<Record<JoinField, string>>
  code: string | null
}

const refusals: Record<string, MessageDescriptor> = {
  JOIN_DISABLED: msg`This store isn’t accepting new members right now.`,
  RATE_LIMITED: msg`Too many attempts. Wait a few minutes and try again.`,
}

/** Why a form was refused as a whole, as a sentence. */
export const joinRefusal = (code: string): MessageDescriptor =>
  refusals[code] ?? msg`We couldn’t create your account. Your details are saved. Try again in a moment.`

/** What the page of the code says about the last thing that was tried. */
export type VerifyOutcome = 'SENT' | 'WRONG_CODE' | 'NOT_A_CODE' | 'TOO_EARLY' | 'EXPIRED' | 'FAILED'

const outcomes: Record<Exclude<VerifyOutcome, 'SENT'>, MessageDescriptor> = {
  WRONG_CODE: msg`That’s not the code from our latest email.`,
  NOT_A_CODE: msg`Enter the 6-digit code from the email.`,
  TOO_EARLY: msg`We just sent a code. Wait a moment before requesting another.`,
  EXPIRED: msg`This code is no longer valid. Request a new one.`,
  FAILED: msg`Something went wrong. Try again in a moment.`,
}
export const verifyMessage = (outcome: Exclude<VerifyOutcome, 'SENT'>): MessageDescriptor => outcomes[outcome]

/** What a refused code, or a refused wish for another, means. */
export function verifyOutcomeOf(status: number): VerifyOutcome {
  if (status === 422 || status === 400) return 'WRONG_CODE'
  if (status === 429) return 'TOO_EARLY'
  return status === 404 || status === 409 || status === 410 ? 'EXPIRED' : 'FAILED'
}

let kept: JoinValues | undefined

/** What was written into the form, for whoever comes back to it from the code. Neither the password nor a consent is kept. */
export const savedJoin = {
  get: (): JoinValues | undefined => kept,
  keep: (values: JoinValues): void => {
    if (typeof window === 'undefined') return
    const { email, name, phone } = values
    kept = { ...emptyJoin, email, name, phone }
  },
  forget: (): void => {
    kept = undefined
  },
}
