import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { haveAccountMail, joinCodeMail, welcomeMail } from '#api/modules/identity/mails/accounts.ts'
import { queueMail } from '#api/modules/mail/mails.ts'
import { type Ctx, failure, isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { JoinStage, PostalAddress } from '#contract/identity.ts'
import type { JoinVerificationId, MemberId } from '#contract/ids.ts'
import {
  appendConsents,
  type Consent,
  changeJoin,
  insertJoin,
  insertMember,
  type JoinRow,
  lockJoin,
} from './identity.queries.ts'
import { invalid, isPlainLine, lowerEmail, pageVersion, readPhone } from './profile.ts'
import { findCredentials } from './sessions.queries.ts'
import { openSession } from './sign-in.ts'

export const createJoinToken = () => randomBytes(32).toString('base64url')
/** Returns the stored form of a token of 256 random bits. */
export const hashJoinToken = (token: string) => createHash('sha256').update(token).digest('hex')

/** Returns a random code of six digits. */
export const createCode = () => String(randomInt(1_000_000)).padStart(6, '0')

/**
 * Returns the stored form of a code. A key outside the database is part of the hash, because six
 * digits are easily guessed.
 */
export const hashCode = (key: string, joinId: JoinVerificationId, code: string) =>
  createHmac('sha256', key).update(`${joinId}\n${code}`).digest('hex')

/** Compares a code with the stored hash in constant time. Returns false without a hash. */
export const isCode = (key: string, joinId: JoinVerificationId, code: string, storedHash: string | null) => {
  const given = Buffer.from(hashCode(key, joinId, code), 'hex')
  const due = storedHash === null ? Buffer.alloc(given.length) : Buffer.from(storedHash, 'hex')
  return timingSafeEqual(given, due) && storedHash !== null
}

/** Minutes a code is valid, seconds until a new one, hours a join may take, tries per code. */
export const codeMinutes = 10
export const resendSeconds = 60
export const joinHours = 1
export const maxTries = 5

/** The progress of a join without the mailbox, which the demo adds. */
export type Stage = Omit<JoinStage, 'mailbox'>

export const stageOf = (row: JoinRow, token: string, now: Date): Stage => ({
  token,
  stage: row.completedAt ? 'COMPLETED' : row.verifiedAt ? 'READY' : 'VERIFY',
  email: row.email,
  expiresAt: row.expiresAt,
  resendAt: new Date(Date.parse(row.sentAt) + resendSeconds * 1000).toISOString(),
  triesLeft: row.triesLeft,
  now: now.toISOString(),
})

/**
 * Finds a join by its token and locks it. Failures: NOT_FOUND for an unknown token, GONE for an
 * expired join.
 */
export const openJoin = async ({ db, customer, clock }: Ctx, token: string) => {
  const row = await lockJoin(db, customer.id, hashJoinToken(token))
  if (!row) return failure('NOT_FOUND')
  const endsAt = Date.parse(row.createdAt) + joinHours * 3_600_000
  return !row.completedAt && endsAt <= clock.now().getTime() ? failure('GONE') : row
}

export interface JoinInput {
  email: string
  password: string
  name: string
  phone?: string | undefined
  address?: PostalAddress | undefined
  agreeMarketing: boolean
}

/**
 * Validates a join form before any costly work. Returns the normalized phone, or null without one.
 */
export const checkJoin = ({ settings }: Ctx['customer'], input: JoinInput, language: Locale) => {
  if (!settings.operation.useJoin) return failure('JOIN_DISABLED')
  if (!isPlainLine(input.name)) return invalid(language, 'name', 'name')
  if (lowerEmail(input.password) === lowerEmail(input.email)) return invalid(language, 'password', 'passwordIsEmail')
  if (input.phone === undefined) return null
  return readPhone(input.phone, settings) ?? invalid(language, 'phone', 'phone')
}

export interface CheckedJoin extends Omit<JoinInput, 'password' | 'phone'> {
  phone: string | null
  passwordHash: string
  /** The reader's language. */
  locale: Locale
  codeKey: string
}

/**
 * Stores the form and sends a code. If the email has an account, its owner gets a notice instead
 * and the join cannot be completed. Both cases do the same work, so that response and timing do not
 * differ.
 */
export const requestJoin = async (ctx: Ctx, input: CheckedJoin): Promise<Stage> => {
  const { customer, db, clock } = ctx
  const now = clock.now()
  const [id, token, code] = [newId<JoinVerificationId>(), createJoinToken(), createCode()]
  const emailLower = lowerEmail(input.email)
  const owner = await findCredentials(db, customer.id, emailLower)
  const codeHash = hashCode(input.codeKey, id, code)
  const row = await insertJoin(db, {
    customerId: customer.id,
    id,
    tokenHash: hashJoinToken(token),
    email: input.email,
    emailLower,
    passwordHash: input.passwordHash,
    name: input.name,
    phone: input.phone,
    address: input.address ?? null,
    marketing: input.agreeMarketing,
    termsVersion: await pageVersion(ctx, 'terms'),
    privacyVersion: await pageVersion(ctx, 'privacy'),
    locale: input.locale,
    codeHash: owner ? null : codeHash,
    triesLeft: maxTries,
    sentAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + codeMinutes * 60_000).toISOString(),
    createdAt: now.toISOString(),
  })
  await sendCode(ctx, { to: input.email, locale: input.locale, code: owner ? null : code })
  return stageOf(row, token, now)
}

interface CodeMail {
  to: string
  locale: Locale
  /** Null if an account with this email exists. */
  code: string | null
}

export const sendCode = async (ctx: Ctx, { to, locale, code }: CodeMail) => {
  const shared = { to, locale, memberId: null }
  if (code === null) await queueMail(ctx, { ...shared, template: haveAccountMail, data: {} })
  else await queueMail(ctx, { ...shared, template: joinCodeMail, data: { code, minutes: codeMinutes } })
}

/**
 * Sends a new code with all its tries, which invalidates the previous one. At most once a minute.
 */
export const resendJoinCode = async (ctx: Ctx, { token, codeKey }: { token: string; codeKey: string }) => {
  const join = await openJoin(ctx, token)
  if (isFailure(join)) return join
  const now = ctx.clock.now()
  if (join.verifiedAt) return stageOf(join, token, now)
  const wait = Date.parse(join.sentAt) + resendSeconds * 1000 - now.getTime()
  if (wait > 0) return failure('RATE_LIMITED', { retryAfterSeconds: Math.ceil(wait / 1000) })
  const code = createCode()
  const codeHash = hashCode(codeKey, join.id, code)
  const row = await changeJoin(ctx.db, join, {
    codeHash: join.codeHash === null ? null : codeHash,
    triesLeft: maxTries,
    sentAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + codeMinutes * 60_000).toISOString(),
  })
  await sendCode(ctx, { to: row.email, locale: row.locale, code: join.codeHash === null ? null : code })
  return stageOf(row, token, now)
}

export interface Confirmation {
  token: string
  code: string
  codeKey: string
  language: Locale
}

/**
 * Checks a code. Each wrong code uses up a try, also when sent concurrently. The failure carries
 * the new state of the join.
 */
export const confirmJoin = async (ctx: Ctx, { token, code, codeKey, language }: Confirmation) => {
  const join = await openJoin(ctx, token)
  if (isFailure(join)) return join
  const now = ctx.clock.now()
  if (join.verifiedAt) return stageOf(join, token, now)
  if (join.triesLeft <= 0 || Date.parse(join.expiresAt) <= now.getTime())
    return invalid(language, 'code', 'codeOver', { data: stageOf(join, token, now) })
  if (isCode(codeKey, join.id, code, join.codeHash))
    return stageOf(await changeJoin(ctx.db, join, { verifiedAt: now.toISOString() }), token, now)
  const tried = await changeJoin(ctx.db, join, { triesLeft: join.triesLeft - 1 })
  const sentence = tried.triesLeft > 0 ? 'wrongCode' : 'codeOver'
  return invalid(language, 'code', sentence, { data: stageOf(tried, token, now) })
}

/** Fourteen years: the legal age of consent. */
const ageVersion = '14'

/**
 * Creates the member of a confirmed join, once, with evidence of each consent. Signs in on this
 * device and moves the guest's data to the member. Failures: GONE for a completed join, CONFLICT
 * before confirmation or if the email was taken meanwhile.
 */
export const join = async (
  ctx: Ctx,
  { token, device, address }: { token: string; device: string; address: string },
) => {
  const { customer, db, clock } = ctx
  if (!customer.settings.operation.useJoin) return failure('JOIN_DISABLED')
  const form = await openJoin(ctx, token)
  if (isFailure(form)) return form
  if (form.completedAt) return failure('GONE')
  if (!form.verifiedAt) return failure('CONFLICT')
  const now = clock.now().toISOString()
  const memberId = newId<MemberId>()
  if (!(await insertMember(db, memberOf(form, memberId, now)))) return failure('CONFLICT')
  await appendConsents(db, customer.id, memberId, consentsOf(form))
  // Retains only the fields that the next page shows.
  await changeJoin(db, form, {
    completedAt: now,
    passwordHash: '',
    name: '',
    phone: null,
    address: null,
    codeHash: null,
  })
  await queueMail(ctx, {
    template: welcomeMail,
    to: form.email,
    memberId,
    locale: form.locale,
    data: { name: form.name },
    once: `welcome:${memberId}`,
  })
  return { email: form.email, ...(await openSession(ctx, { memberId, device, address })) }
}

const memberOf = (
  { customerId, email, emailLower, passwordHash, name, phone, address, locale, marketing }: JoinRow,
  id: MemberId,
  createdAt: string,
) => ({ customerId, id, email, emailLower, passwordHash, name, phone, address, locale, marketing, createdAt })

/** The consents given with the form, in the versions of that time. */
const consentsOf = ({ termsVersion, privacyVersion, marketing, createdAt }: JoinRow): Consent[] => {
  const given = { granted: true, at: createdAt }
  return [
    { type: 'TERMS', version: termsVersion, ...given },
    { type: 'PRIVACY', version: privacyVersion, ...given },
    { type: 'AGE', version: ageVersion, ...given },
    ...(marketing ? [{ type: 'MARKETING', version: privacyVersion, ...given } as const] : []),
  ]
}
