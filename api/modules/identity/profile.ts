import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { isUnfinished, readPage } from '#api/modules/content/content.queries.ts'
import { type MailCtx, type MailReason, queueMail } from '#api/modules/mail/mails.ts'
import { versionOf } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, isFailure, type MemberCtx } from '#api/platform/context.ts'
import { isCommonPassword } from '#api/platform/crypto.ts'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { Profile, ProfileChange, ResetSubmit } from '#contract/identity.ts'
import type { MemberId } from '#contract/ids.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import {
  appendConsents,
  type Consent,
  changeMember,
  findMember,
  findMemberId,
  type JoinRow,
  latestConsent,
  type MemberRow,
  readAddressee,
} from './identity.queries.ts'

/** Messages for invalid fields, in the reader's language. */
const fieldMessages = (i18n: I18n) => ({
  phone: i18n._(
    'Enter a valid phone number. For numbers from abroad, include the country code, such as +82 10 1234 5678.',
  ),
  name: i18n._('Enter a name without line breaks or invisible characters.'),
  line: i18n._('Enter one line without invisible characters.'),
  nameNeeded: i18n._('Add your name to your profile.'),
  phoneNeeded: i18n._('Add your phone number to your profile.'),
  passwordIsEmail: i18n._('Choose a password that is different from your email address.'),
  passwordIsCommon: i18n._('This password is easy to guess. Choose several words that do not belong together.'),
  passwordIsOld: i18n._('Choose a password that is different from your current one.'),
  wrongPassword: i18n._('Incorrect password. Enter the password you sign in with.'),
  wrongCode: i18n._('Incorrect code. Enter the 6-digit code from our latest email.'),
  codeOver: i18n._('This code is no longer valid. Request a new one.'),
  fileName: i18n._('Use a file name of up to 255 characters.'),
  locale: i18n._('Choose a language this store offers.'),
  emailTaken: i18n._('Another member has this email address.'),
  consent: i18n._('Agree to this to use the account.'),
})

type FieldMessage = keyof ReturnType<typeof fieldMessages>

/** Returns the message for an invalid field in a language. */
export const fieldMessage = (language: Locale, message: FieldMessage): string =>
  fieldMessages(messagesOf(language))[message]

/** Returns a failure for one invalid field with its message. */
export const invalid = (language: Locale, field: string, message: FieldMessage, more: Pick<Failure, 'data'> = {}) =>
  failure('VALIDATION_FAILED', { errors: { [field]: [fieldMessage(language, message)] }, ...more })

/**
 * The version of a page that a consent refers to: the time of its last change, or `none` where
 * visitors do not see the page.
 */
export const pageVersion = async (
  { db, customer, clock }: Pick<Ctx, 'db' | 'customer' | 'clock'>,
  type: 'terms' | 'privacy',
) => {
  const page = await readPage(db, customer.id, type, clock.now().toISOString())
  const isSeen = page && !page.isDraft && !isUnfinished(page.title) && !isUnfinished(page.body)
  return isSeen ? page.updatedAt : 'none'
}

/** Records evidence of a consent that a member gives or withdraws now. */
export const recordConsent = (
  { db, customer, clock }: Pick<Ctx, 'db' | 'customer' | 'clock'>,
  memberId: MemberId,
  consent: Omit<Consent, 'at'>,
) => appendConsents(db, customer.id, memberId, [{ ...consent, at: clock.now().toISOString() }])

/** Fourteen years: the legal age of consent. */
const ageVersion = '14'

type JoinConsents = Pick<JoinRow, 'termsVersion' | 'privacyVersion' | 'marketing' | 'createdAt'>

/** The consents of a sign-up, in the versions of its time. */
export const consentsOf = ({ termsVersion, privacyVersion, marketing, createdAt }: JoinConsents): Consent[] => {
  const consent = { granted: true, at: createdAt }
  return [
    { type: 'TERMS', version: termsVersion, ...consent },
    { type: 'PRIVACY', version: privacyVersion, ...consent },
    { type: 'AGE', version: ageVersion, ...consent },
    ...(marketing ? [{ type: 'MARKETING', version: privacyVersion, ...consent } as const] : []),
  ]
}

/** Refuses the first password of a member who does not agree to what a sign-up requires. */
export const refuseWithoutConsents = (input: ResetSubmit, language: Locale): Failure | undefined => {
  const missing = (['agreeTerms', 'agreePrivacy', 'isOldEnough'] as const).filter((name) => !input[name])
  if (missing.length === 0) return undefined
  const errors = Object.fromEntries(missing.map((name) => [name, [fieldMessage(language, 'consent')]]))
  return failure('VALIDATION_FAILED', { errors })
}

/**
 * The default country of a phone number by the store's currency or, for shared currencies, by its
 * language.
 */
const byCurrency: Record<string, CountryCode> = {
  KRW: 'KR',
  JPY: 'JP',
  USD: 'US',
  GBP: 'GB',
  CAD: 'CA',
  AUD: 'AU',
  NZD: 'NZ',
  SGD: 'SG',
  HKD: 'HK',
  TWD: 'TW',
  AED: 'AE',
  SAR: 'SA',
  EGP: 'EG',
  QAR: 'QA',
  KWD: 'KW',
  MAD: 'MA',
  JOD: 'JO',
  INR: 'IN',
  CHF: 'CH',
  CNY: 'CN',
}
const byLocale: Partial<Record<SiteSettings['base']['locale'], CountryCode>> = { ko: 'KR', ja: 'JP' }

/** Parses a phone number to E.164; null if it is invalid. */
export const readPhone = (written: string, { base }: SiteSettings): string | null => {
  const country = byCurrency[base.currency] ?? byLocale[base.locale]
  const number = parsePhoneNumberFromString(written.normalize('NFKC'), country)
  return number?.isValid() ? number.number : null
}

/**
 * Whether a text is one visible line, without line breaks, control characters or direction
 * overrides.
 */
export const isPlainLine = (text: string) => !/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text)

/**
 * Refuses fields whose text is no plain line. Failure: VALIDATION_FAILED for the first of them.
 */
export const refuseLines = (language: Locale, lines: Record<string, string | undefined>): Failure | undefined => {
  const field = Object.keys(lines).find((name) => !isPlainLine(lines[name] ?? ''))
  return field === undefined ? undefined : invalid(language, field, 'line')
}

/** Refuses a person's name that is no plain line. Failure: VALIDATION_FAILED. */
export const refuseName = (language: Locale, name: string): Failure | undefined =>
  isPlainLine(name) ? undefined : invalid(language, 'name', 'name')

/** Refuses a language that the store does not offer. Failure: VALIDATION_FAILED. */
export const refuseLanguage = (
  { customer }: Pick<Ctx, 'customer'>,
  locale: Locale,
  language: Locale,
): Failure | undefined =>
  customer.settings.base.locales.includes(locale) ? undefined : invalid(language, 'locale', 'locale')

/** The fields of a postal address that a person reads as lines. */
export const addressLines = (address: ProfileChange['address']) => ({
  'address.postcode': address?.postcode,
  'address.road': address?.road,
  'address.detail': address?.detail,
})

/** The member's profile. `marketingAt` is the time of their last marketing choice. */
export const getProfile = async ({ customer, actor, db }: MemberCtx) => {
  const member = await findMember(db, customer.id, actor.memberId)
  if (!member) return failure('SESSION_EXPIRED')
  const marketing = await latestConsent(db, customer.id, actor.memberId, 'MARKETING')
  return {
    email: member.email,
    name: member.name,
    phone: member.phone,
    address: member.address,
    locale: member.locale,
    marketing: member.marketing,
    marketingAt: marketing?.at ?? null,
    createdAt: member.createdAt,
  } satisfies Profile
}

/** Changes the given fields. A marketing choice is recorded with its time and version. */
export const changeProfile = async (ctx: MemberCtx, input: ProfileChange, language: Locale) => {
  const { customer, actor, db } = ctx
  const values = valuesOf(ctx, input, language)
  if (isFailure(values)) return values
  const member = await findMember(db, customer.id, actor.memberId, { lock: true })
  if (!member) return failure('SESSION_EXPIRED')
  await writeProfile(ctx, member, values)
  return getProfile(ctx)
}

type ProfileValues = Partial<Pick<MemberRow, 'name' | 'phone' | 'address' | 'locale' | 'marketing'>>

/** Writes columns of a profile of a locked member, with evidence of a choice about marketing. */
export const writeProfile = async (ctx: Ctx, { id, marketing: before }: MemberRow, values: ProfileValues) => {
  if (Object.keys(values).length > 0) await changeMember(ctx.db, ctx.customer.id, id, values)
  const { marketing } = values
  if (marketing === undefined || marketing === before) return
  const version = await pageVersion(ctx, 'privacy')
  await recordConsent(ctx, id, { type: 'MARKETING', version, granted: marketing })
}

/** Returns the fields of a profile that staff can change. */
export const profileOf = ({ name, phone, address, locale, marketing }: MemberRow) => ({
  name,
  phone,
  // The database orders the fields of an address by their names.
  address: address && { postcode: address.postcode, road: address.road, detail: address.detail },
  locale,
  marketing,
})

/** For `If-Match`: changes with whatever staff can change of a profile. */
export const versionOfProfile = (member: MemberRow) => versionOf([member.id, profileOf(member)])

/**
 * Checks the given fields of a profile. Returns the columns that they change. Failure:
 * VALIDATION_FAILED.
 */
export const valuesOf = (ctx: Pick<Ctx, 'customer'>, input: ProfileChange, language: Locale) => {
  const { name, phone, address, locale, marketing } = input
  const { customer } = ctx
  const refused =
    (name === undefined ? undefined : refuseName(language, name)) ??
    (locale === undefined ? undefined : refuseLanguage(ctx, locale, language)) ??
    refuseLines(language, addressLines(address))
  if (refused) return refused
  const phoneNumber = typeof phone === 'string' ? readPhone(phone, customer.settings) : phone
  if (typeof phone === 'string' && phoneNumber === null) return invalid(language, 'phone', 'phone')
  return {
    ...(name !== undefined && { name }),
    ...(phoneNumber !== undefined && { phone: phoneNumber }),
    ...(address !== undefined && { address: address && { ...address, detail: address.detail ?? '' } }),
    ...(locale !== undefined && { locale }),
    ...(marketing !== undefined && { marketing }),
  }
}

/** The normalized email address for lookups: spellings of one mailbox are one member. */
export const lowerEmail = (email: string) => email.trim().normalize('NFKC').toLowerCase()

/** Returns the id of the member with an email address, withdrawn or not; null without one. */
export const memberIdOf = ({ db, customer }: Pick<Ctx, 'db' | 'customer'>, email: string) =>
  findMemberId(db, customer.id, lowerEmail(email))

/**
 * Refuses a new password that others guess first: the owner's email address or the part before its
 * @, or a common one. Failure: VALIDATION_FAILED for `field`.
 */
export const refusePassword = (
  language: Locale,
  field: string,
  { password, email }: { password: string; email: string },
): Failure | undefined => {
  const [typed, address] = [lowerEmail(password), lowerEmail(email)]
  if (typed === address || typed === address.slice(0, address.lastIndexOf('@')))
    return invalid(language, field, 'passwordIsEmail')
  return isCommonPassword(password) ? invalid(language, field, 'passwordIsCommon') : undefined
}

/**
 * Queues a mail to a member in the running transaction. Without a chosen language it uses `locale`,
 * or the store's language. A withdrawn member gets none. Returns whether one was queued.
 */
export const queueMemberMail = async <Data>(
  ctx: MailCtx,
  memberId: MemberId,
  { locale = null, ...reason }: MailReason<Data> & { locale?: Locale | null },
): Promise<boolean> => {
  const addressee = await readAddressee(ctx.db, ctx.customer.id, memberId)
  if (!addressee) return false
  return queueMail(ctx, { ...reason, memberId, to: addressee.email, locale: addressee.locale ?? locale })
}
