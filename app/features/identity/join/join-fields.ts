import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { type JoinForm, type JoinStage, joinForm } from '#contract/identity.ts'
import { refusalMessages } from '~/platform/api/failures'
import { invalidFields, type ReadValues } from '~/platform/api/validation-errors'
import type { RefusedForm } from '~/platform/request/form-post'

/** The step of a sign-up, without its token, which no script can read. */
export type JoinStep = Omit<JoinStage, 'token'>

export type JoinPage = '/join/input' | '/join/verify' | '/join/completed'

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

/** No consent is preselected. */
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

/** The message of each consent that a sign-up requires. */
export const consentMessages = {
  agreeTerms: msg`Agree to the Terms of Use to continue.`,
  agreePrivacy: msg`Agree to the Privacy Policy to continue.`,
  isOldEnough: msg`You must be 14 or older to create an account.`,
}

/** The message of each invalid field. */
export const joinFieldMessages: Partial<Record<JoinField, MessageDescriptor>> = {
  email: msg`Enter a valid email address, such as name@example.com.`,
  password: msg`Use at least 8 characters.`,
  name: msg`Use up to 80 characters.`,
  phone: msg`Enter a valid phone number.`,
  ...consentMessages,
}

/** Validates the values. Returns the API's input, or the invalid fields. */
export function readJoin({ phone, ...values }: JoinValues): ReadValues<JoinForm, JoinField> {
  const parsed = z.safeParse(joinForm, {
    ...values,
    email: values.email.trim(),
    ...(phone.trim() ? { phone } : {}),
  })
  return parsed.success
    ? { ok: true, data: parsed.data }
    : { ok: false, fields: invalidFields(parsed.error.issues, joinFields) }
}

/** Reads the consents of a form's element or post. */
export function consentsIn(form: FormData) {
  // Without JavaScript the boxes below do not follow it. It covers the required consents, never
  // marketing.
  const all = form.has('agreeAll')
  return {
    agreeTerms: all || form.has('agreeTerms'),
    agreePrivacy: all || form.has('agreePrivacy'),
    isOldEnough: all || form.has('isOldEnough'),
    agreeMarketing: form.has('agreeMarketing'),
  }
}

/** Reads the values of the form's element or post. */
export function joinValuesOf(form: FormData): JoinValues {
  const text = (field: JoinField) => String(form.get(field) ?? '')
  return {
    email: text('email'),
    password: text('password'),
    name: text('name'),
    phone: text('phone'),
    ...consentsIn(form),
  }
}

/** The state of the page after a refused form post without JavaScript. The password is empty. */
export interface JoinOutcome extends RefusedForm<JoinField> {
  values: JoinValues
}

/** The message of a refused form, by problem code. */
export const joinRefusal = refusalMessages({
  byCode: { JOIN_DISABLED: msg`This store isn’t accepting new members right now.` },
  otherwise: msg`We couldn’t create your account. Your details are saved. Try again in a moment.`,
})

/** The result of the last action on the page of the code. */
export type VerifyOutcome = 'SENT' | 'WRONG_CODE' | 'NOT_A_CODE' | 'TOO_EARLY' | 'EXPIRED' | 'FAILED'

const outcomes: Record<Exclude<VerifyOutcome, 'SENT'>, MessageDescriptor> = {
  WRONG_CODE: msg`That’s not the code from our latest email.`,
  NOT_A_CODE: msg`Enter the 6-digit code from the email.`,
  TOO_EARLY: msg`We just sent a code. Wait a moment before requesting another.`,
  EXPIRED: msg`This code is no longer valid. Request a new one.`,
  FAILED: msg`Something went wrong. Try again in a moment.`,
}
export const verifyMessage = (outcome: Exclude<VerifyOutcome, 'SENT'>): MessageDescriptor => outcomes[outcome]

/** Converts the status of a refused code, or of a refused request for another one. */
export function verifyOutcomeOf(status: number): VerifyOutcome {
  if (status === 422 || status === 400) return 'WRONG_CODE'
  if (status === 429) return 'TOO_EARLY'
  return status === 404 || status === 409 || status === 410 ? 'EXPIRED' : 'FAILED'
}

let saved: JoinValues | undefined

/** The form's values, for going back from the code. Neither the password nor consents are saved. */
export const savedJoin = {
  get: (): JoinValues | undefined => saved,
  save: (values: JoinValues): void => {
    if (typeof window === 'undefined') return
    const { email, name, phone } = values
    saved = { ...emptyJoin, email, name, phone }
  },
  clear: (): void => {
    saved = undefined
  },
}
