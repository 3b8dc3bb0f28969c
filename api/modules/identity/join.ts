import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { haveAccountMail, joinCodeMail } from '#api/modules/identity/mails/accounts.ts'
import { queueMail } from '#api/modules/mail/mails.ts'
import { type Ctx, type DetachedCtx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { hashPassword, secretFor } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import { exceeded, networkOf } from '#api/platform/limits/rate-limits.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { JoinStage, PostalAddress } from '#contract/identity.ts'
import type { JoinVerificationId } from '#contract/ids.ts'
import { changeJoin, insertJoin, type JoinRow, lockJoin } from './identity.queries.ts'
import type { IdentityLimits } from './identity-limits.ts'
import {
  addressLines,
  invalid,
  isPlainLine,
  lowerEmail,
  pageVersion,
  readPhone,
  refuseLines,
  refusePassword,
} from './profile.ts'
import { findCredentials } from './sessions.queries.ts'

const createJoinToken = () => randomBytes(32).toString('base64url')
/** Returns the stored form of a token of 256 random bits. */
const hashJoinToken = (token: string) => createHash('sha256').update(token).digest('hex')

/** Returns a random code of six digits. */
const createCode = () => String(randomInt(1_000_000)).padStart(6, '0')

/**
 * Returns the stored form of a code. A key outside the database is part of the hash, because six
 * digits are easily guessed.
 */
const hashCode = (key: string, joinId: JoinVerificationId, code: string) =>
  createHmac('sha256', key).update(`${joinId}\n${code}`).digest('hex')

/** Compares a code with the stored hash in constant time. Returns false without a hash. */
const isCode = (key: string, joinId: JoinVerificationId, code: string, storedHash: string | null) => {
  const givenHash = Buffer.from(hashCode(key, joinId, code), 'hex')
  const due = storedHash === null ? Buffer.alloc(givenHash.length) : Buffer.from(storedHash, 'hex')
  return timingSafeEqual(givenHash, due) && storedHash !== null
}

/** How long a code is valid. */
const codeMinutes = 10
/** How long a member waits before a new code can be requested. */
const resendSeconds = 60
/** How long a join may take. */
const joinHours = 1
/** Wrong entries allowed per code. */
const maxTries = 5

/** The progress of a join without the mailbox, which the demo adds. */
export type Stage = Omit<JoinStage, 'mailbox'>

const stageOf = (row: JoinRow, token: string, now: Date): Stage => ({
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

interface JoinInput {
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
const checkJoin = ({ settings }: Ctx['customer'], input: JoinInput, language: Locale) => {
  if (!settings.operation.useJoin) return failure('JOIN_DISABLED')
  if (!isPlainLine(input.name)) return invalid(language, 'name', 'name')
  const refused = refusePassword(language, 'password', input) ?? refuseLines(language, addressLines(input.address))
  if (refused) return refused
  if (input.phone === undefined) return null
  return readPhone(input.phone, settings) ?? invalid(language, 'phone', 'phone')
}

interface CheckedJoin extends Omit<JoinInput, 'password' | 'phone'> {
  phone: string | null
  passwordHash: string
  codeKey: string
}

/** What signing up needs of the process. */
export interface JoinDeps {
  secret: string
  limits: Pick<IdentityLimits, 'joinsFrom' | 'joinsByEmail' | 'mailsByAddress'>
}

const codeKeyOf = (secret: string) => secretFor(secret, 'join codes')

/**
 * Counts each code sent to an unconfirmed email: per email and address, per address, and per email.
 */
const countJoin = async (
  { customer }: DetachedCtx,
  { limits }: JoinDeps,
  { email, address }: { email: string; address: string },
): Promise<Failure | null> => {
  const [emailLower, network] = [lowerEmail(email), networkOf(address)]
  return (
    exceeded(await limits.joinsFrom.consume(customer.id, `${emailLower} ${network}`)) ??
    exceeded(await limits.mailsByAddress.consume(customer.id, network)) ??
    exceeded(await limits.joinsByEmail.consume(customer.id, emailLower))
  )
}

export interface JoinRequest {
  form: JoinInput
  /** The visitor's network address. */
  address: string
  /** The language of messages about invalid fields. */
  language: Locale
}

/**
 * Checks a join form, stores it and sends a code. Failures: JOIN_DISABLED, VALIDATION_FAILED,
 * RATE_LIMITED.
 */
export const requestJoin = async (
  ctx: DetachedCtx,
  deps: JoinDeps,
  { form, address, language }: JoinRequest,
): Promise<Stage | Failure> => {
  const phone = checkJoin(ctx.customer, form, language)
  if (isFailure(phone)) return phone
  const refused = await countJoin(ctx, deps, { email: form.email, address })
  if (refused) return refused
  const passwordHash = await hashPassword(form.password)
  return ctx.inTransaction((tx) => storeJoin(tx, { ...form, phone, passwordHash, codeKey: codeKeyOf(deps.secret) }))
}

/** Returns the progress of a join. Failures: NOT_FOUND, GONE. */
export const joinStage = async (ctx: Ctx, token: string): Promise<Stage | Failure> => {
  const row = await openJoin(ctx, token)
  return isFailure(row) ? row : stageOf(row, token, ctx.clock.now())
}

/**
 * Stores the form and sends a code. If the email has an account, its owner gets a notice instead
 * and the join cannot be completed. Both cases do the same work, so that response and timing do not
 * differ.
 */
const storeJoin = async (ctx: Ctx, input: CheckedJoin): Promise<Stage> => {
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
    locale: ctx.locale,
    codeHash: owner ? null : codeHash,
    triesLeft: maxTries,
    sentAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + codeMinutes * 60_000).toISOString(),
    createdAt: now.toISOString(),
  })
  await sendCode(ctx, { to: input.email, locale: ctx.locale, code: owner ? null : code })
  return stageOf(row, token, now)
}

interface CodeMail {
  to: string
  locale: Locale
  /** Null if an account with this email exists. */
  code: string | null
}

const sendCode = async (ctx: Ctx, { to, locale, code }: CodeMail) => {
  const shared = { to, locale, memberId: null }
  if (code === null) await queueMail(ctx, { ...shared, template: haveAccountMail, data: {} })
  else await queueMail(ctx, { ...shared, template: joinCodeMail, data: { code, minutes: codeMinutes } })
}

/** What sending another code needs of the process. */
export interface ResendDeps {
  secret: string
  limits: Pick<IdentityLimits, 'resendsByJoin'>
}

/**
 * Sends a new code with all its tries, which invalidates the previous one. At most once a minute.
 * Failures: NOT_FOUND, GONE, RATE_LIMITED.
 */
export const resendJoinCode = async (
  ctx: DetachedCtx,
  { secret, limits }: ResendDeps,
  token: string,
): Promise<Stage | Failure> =>
  exceeded(await limits.resendsByJoin.consume(ctx.customer.id, token)) ??
  ctx.inTransaction((tx) => sendNewCode(tx, { token, codeKey: codeKeyOf(secret) }))

const sendNewCode = async (
  ctx: Ctx,
  { token, codeKey }: { token: string; codeKey: string },
): Promise<Stage | Failure> => {
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
  language: Locale
}

/**
 * Checks a code. Each wrong code uses up a try, also when sent concurrently. The failure carries
 * the new state of the join. Failures: NOT_FOUND, GONE, VALIDATION_FAILED.
 */
export const confirmJoin = async (
  ctx: Ctx,
  { secret }: { secret: string },
  { token, code, language }: Confirmation,
): Promise<Stage | Failure> => {
  const join = await openJoin(ctx, token)
  if (isFailure(join)) return join
  const now = ctx.clock.now()
  if (join.verifiedAt) return stageOf(join, token, now)
  if (join.triesLeft <= 0 || Date.parse(join.expiresAt) <= now.getTime())
    return invalid(language, 'code', 'codeOver', { data: stageOf(join, token, now) })
  if (isCode(codeKeyOf(secret), join.id, code, join.codeHash))
    return stageOf(await changeJoin(ctx.db, join, { verifiedAt: now.toISOString() }), token, now)
  const tried = await changeJoin(ctx.db, join, { triesLeft: join.triesLeft - 1 })
  const sentence = tried.triesLeft > 0 ? 'wrongCode' : 'codeOver'
  return invalid(language, 'code', sentence, { data: stageOf(tried, token, now) })
}
