import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { haveAccountMail, joinCodeMail, welcomeMail } from '#api/modules/identity/mails/accounts.ts'
import { queueMail } from '#api/modules/mail/mails.ts'
import { type Ctx, failure, isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { JoinStage, PostalAddress } from '#contract/accounts.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { MemberId } from '#contract/ids.ts'
import {
  appendConsents,
  type Consent,
  changeJoin,
  findCredentials,
  insertJoin,
  insertMember,
  type JoinRow,
  lockJoin,
} from './identity.queries.ts'
import { invalid, isPlainLine, lowerEmail, pageVersion, readPhone } from './profile.ts'
import { openSession } from './sessions.ts'

export const createJoinToken = () => randomBytes(32).toString('base64url')
/** The stored form of a token of 256 random bits. */
export const hashJoinToken = (token: string) => createHash('sha256').update(token).digest('hex')

export const createCode = () => String(randomInt(1_000_000)).padStart(6, '0')

/** The stored form of a code. Six digits are soon tried through, so a key that is not in the database is part of the hash. */
export const hashCode = (key: string, joinId: string, code: string) =>
  createHmac('sha256', key).update(`${joinId}\n${code}`).digest('hex')

/** Whether a code matches the stored hash. Without a hash it takes as long, and the answer is false. */
export const isCode = (key: string, joinId: string, code: string, storedHash: string | null) => {
  const given = Buffer.from(hashCode(key, joinId, code), 'hex')
  const due = storedHash === null ? Buffer.alloc(given.length) : Buffer.from(storedHash, 'hex')
  return timingSafeEqual(given, due) && storedHash !== null
}

/** How long a code is good, how long until the next may be asked for, how long a join may take in all. */
export const codeMinutes = 10
export const resendSeconds = 60
export const joinHours = 1
export const tries = 5

/** How far a join has come, without the demo's mailbox: whether there is one is not the domain's to know. */
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

/** The join a token opens, locked. NOT_FOUND for a token of none; GONE for a join left lying. */
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

/** What a form may be refused for before any work is done on it; with the phone as it will be kept, null for none. */
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
 * Keeps the form and sends a code to its e-mail. An e-mail that has an account gets a mail that says so instead, and a join that no code
 * can finish: what is done, and so what is answered and how soon, is the same.
 */
export const requestJoin = async (ctx: Ctx, input: CheckedJoin): Promise<Stage> => {
  const { customer, db, clock } = ctx
  const now = clock.now()
  const [id, token, code] = [newId(), createJoinToken(), createCode()]
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
    triesLeft: tries,
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
  /** Null where the e-mail has an account already. */
  code: string | null
}

export const sendCode = async (ctx: Ctx, { to, locale, code }: CodeMail) => {
  const shared = { to, locale, memberId: null }
  if (code === null) await queueMail(ctx, { ...shared, template: haveAccountMail, data: {} })
  else await queueMail(ctx, { ...shared, template: joinCodeMail, data: { code, minutes: codeMinutes } })
}

/** Sends another code, with all its tries; the one before is good no more. Not sooner than a minute after the last. */
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
    triesLeft: tries,
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

/** Compares a code. Each wrong one uses up a try, also when several come at once; the failure carries how the join stands then. */
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

/** Fourteen years, the age from which one consents for oneself. */
const ageVersion = '14'

/**
 * Makes the member whose e-mail was confirmed, once: with the evidence of each consent, signed in on this device, and the guest's
 * traces theirs. GONE for a join that is done, CONFLICT before the code or where somebody else finished with that e-mail first.
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
  // What is left of the form is what the page that follows may show.
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

/** Agreed to when the form was sent, in the versions of that moment. */
const consentsOf = ({ termsVersion, privacyVersion, marketing, createdAt }: JoinRow): Consent[] => {
  const given = { granted: true, at: createdAt }
  return [
    { type: 'TERMS', version: termsVersion, ...given },
    { type: 'PRIVACY', version: privacyVersion, ...given },
    { type: 'AGE', version: ageVersion, ...given },
    ...(marketing ? [{ type: 'MARKETING', version: privacyVersion, ...given } as const] : []),
  ]
}
