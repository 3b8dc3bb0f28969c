import type * as z from 'zod/mini'
import { signInLinkMail, welcomeMail } from '#api/modules/identity/mails/accounts.ts'
import { queueMail } from '#api/modules/mail/mails.ts'
import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import { type Ctx, type DetachedCtx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { atLeast, noPassword, verifyPassword } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import { emit } from '#api/platform/events.ts'
import { networkOf, type SharedRateLimitResult } from '#api/platform/limits/rate-limits.ts'
import type { memberForm } from '#contract/admin/members.ts'
import type { LoginAnswer } from '#contract/identity.ts'
import type { MemberId } from '#contract/ids.ts'
import { appendConsents, changeJoin, findMemberId, insertMember, type JoinRow } from './identity.queries.ts'
import { countMail, type IdentityLimits, type MailLimitDeps, mailMilliseconds } from './identity-limits.ts'
import { openJoin } from './join.ts'
import { invite } from './passwords.ts'
import { consentsOf, invalid, lowerEmail, queueMemberMail, refuseLanguage, refuseName } from './profile.ts'
import { findCredentials, isKnownNetwork } from './sessions.queries.ts'
import {
  type Account,
  accountOf,
  createDeviceToken,
  createLinkKey,
  deviceOf,
  linkMinutes,
  linkOf,
  openSession,
  type Visitor,
} from './sessions.ts'

/** What signing in needs of the process. */
export interface SignInDeps {
  secret: string
  limits: Pick<IdentityLimits, 'loginFrom' | 'loginByAccount' | 'loginByNetwork' | 'loginByDevice'>
}

/** What requesting a sign-in link needs of the process. */
export interface SignInLinkDeps extends MailLimitDeps {
  limits: MailLimitDeps['limits'] & Pick<IdentityLimits, 'signInLinks'>
}

/**
 * Sends a member a link that permits signing in with the password on an unknown device while others
 * try passwords. An unknown email gets no mail. Failure: RATE_LIMITED.
 */
export const requestSignInLink = async (
  ctx: DetachedCtx,
  deps: SignInLinkDeps,
  { email, ...visitor }: { email: string } & Visitor,
): Promise<Failure | null> => {
  const { customer, clock, inTransaction } = ctx
  const account = accountOf(ctx, email)
  const refused = await countMail(ctx, deps, account, visitor)
  if (refused) return refused
  await atLeast(mailMilliseconds, async () => {
    // The link of a recent mail is still valid, whoever requested it.
    if ((await deps.limits.signInLinks.consume(customer.id, account.emailLower)).code === 'EXHAUSTED') return
    const key = createLinkKey(deps.secret, account, clock.now())
    await inTransaction(async (tx) => {
      const member = await findCredentials(tx.db, customer.id, account.emailLower)
      if (!member) return
      const data = { key, minutes: linkMinutes }
      await queueMemberMail(tx, member.id, { template: signInLinkMail, data, locale: ctx.locale })
    })
  })
  return null
}

/**
 * The same response for every account, whether it exists or not: when to retry, and that a mail
 * lets the owner sign in meanwhile.
 */
const tooMany = (retryAfterSeconds: number) =>
  failure('RATE_LIMITED', { retryAfterSeconds, data: { retryAfterSeconds, signInLink: true } })

/** Milliseconds; longer than the comparison of a password. */
const refusalMilliseconds = 250

export interface SignInInput extends Visitor {
  email: string
  password: string
  /** The name of the device: its user agent. */
  device: string
  /** The key of a mail's link. Its bearer counts as a known device. */
  linkKey?: string | undefined
}

/** A counted attempt. */
export interface CountedTry {
  /** Whether the password may be compared. */
  compares: 'ALWAYS' | 'FROM_KNOWN_NETWORK'
  /** The failure for a wrong password. */
  refusal: Failure
  /** Resets the count after a correct password. */
  resetCount: () => Promise<void>
}

/**
 * Counts a password attempt. A known device, or the bearer of a mail's link, has its own limit.
 * Others are counted by account and network (with growing delays), by account, and by network.
 * Above these limits the password is compared only from networks known for the account; response
 * and timing are the same for all others. Failure: RATE_LIMITED.
 */
export const countTry = async (
  { customer, clock }: Pick<DetachedCtx, 'customer' | 'clock'>,
  { secret, limits }: SignInDeps,
  account: Account,
  { linkKey, address, deviceToken }: Pick<SignInInput, 'linkKey' | 'address' | 'deviceToken'>,
): Promise<CountedTry | Failure> => {
  const { emailLower } = account
  const now = clock.now()
  const refusal = failure('LOGIN_FAILED')
  const proof = deviceOf(secret, account, deviceToken, now) ?? linkOf(secret, account, linkKey, now)
  if (proof) {
    const deviceLimit = await limits.loginByDevice.consume(customer.id, `${emailLower} ${proof}`)
    // A device with too many wrong attempts counts as unknown for a while.
    if (deviceLimit.code === 'ALLOWED') return { compares: 'ALWAYS', refusal, resetCount: deviceLimit.release }
  }
  const network = networkOf(address)
  const byAccountAndNetwork = await limits.loginFrom.consume(customer.id, `${emailLower} ${network}`)
  if (byAccountAndNetwork.code === 'EXHAUSTED') return tooMany(byAccountAndNetwork.retryAfterSeconds)
  const byAccount = await limits.loginByAccount.consume(customer.id, emailLower)
  // Counts the accounts that a network tries, not the attempts per account.
  const byNetwork = await limits.loginByNetwork[byAccountAndNetwork.count === 1 ? 'consume' : 'peek'](
    customer.id,
    network,
  )
  const resetCount = async () => {
    for (const result of [byAccountAndNetwork, byAccount, byNetwork])
      if (result?.code === 'ALLOWED') await result.release()
  }
  const waits = [byAccount, byNetwork].flatMap((one: SharedRateLimitResult | null) =>
    one?.code === 'EXHAUSTED' ? [one.retryAfterSeconds] : [],
  )
  if (waits.length === 0) return { compares: 'ALWAYS', refusal, resetCount }
  return { compares: 'FROM_KNOWN_NETWORK', refusal: tooMany(Math.max(...waits)), resetCount }
}

/**
 * Compares the password of a counted attempt. Above the limits most attempts are not compared; the
 * fixed delay hides which ones.
 */
export const isRightPassword = async (
  { compares }: Pick<CountedTry, 'compares'>,
  password: string,
  { hash, isKnown }: { hash: string | null; isKnown: boolean },
): Promise<boolean> => {
  if (compares === 'ALWAYS') return verifyPassword(password, hash)
  return atLeast(refusalMilliseconds, async () => isKnown && verifyPassword(password, hash))
}

/** A session, and the device token that the browser stores. */
export interface SignedIn {
  login: LoginAnswer
  deviceToken: string
}

/**
 * Signs in with a password. Failures: LOGIN_FAILED (wrong email or password), RATE_LIMITED,
 * MEMBER_BLOCKED.
 */
export const signIn = async (ctx: DetachedCtx, deps: SignInDeps, input: SignInInput): Promise<SignedIn | Failure> => {
  const account = accountOf(ctx, input.email)
  const { customer, clock, inTransaction } = ctx
  const { device, address, password } = input
  const counted = await countTry(ctx, deps, account, input)
  if (isFailure(counted)) return counted
  const { refusal, resetCount } = counted
  const member = await inTransaction(async ({ db }) => {
    const credentials = await findCredentials(db, customer.id, account.emailLower)
    const isKnown = await isKnownNetwork(db, customer.id, credentials?.id ?? null, networkOf(address))
    return credentials && { ...credentials, isKnown }
  })
  const right = await isRightPassword(counted, password, {
    hash: member?.passwordHash ?? null,
    isKnown: member?.isKnown ?? false,
  })
  if (!right || !member) return refusal
  await resetCount()
  const login = await inTransaction(async (tx) => {
    // The password may have been changed during the comparison.
    const now = await findCredentials(tx.db, customer.id, account.emailLower, { lock: true })
    if (now?.passwordHash !== member.passwordHash) return failure('LOGIN_FAILED')
    if (now.blockedAt) return failure('MEMBER_BLOCKED')
    return openSession(tx, { memberId: member.id, device, address })
  })
  if (isFailure(login)) return login
  return { login, deviceToken: createDeviceToken(deps.secret, account, input.deviceToken, clock.now()) }
}

/**
 * Creates the member of a confirmed join, once, with evidence of each consent. Signs in on this
 * device and moves the guest's data to the member. Failures: JOIN_DISABLED, NOT_FOUND, GONE for a
 * completed join, CONFLICT before confirmation or if the email was taken meanwhile.
 */
export const join = async (
  ctx: Ctx,
  { secret }: { secret: string },
  { token, device, address, deviceToken }: { token: string; device: string } & Visitor,
): Promise<SignedIn | Failure> => {
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
  await emit(ctx, 'memberJoined', { memberId })
  return {
    login: await openSession(ctx, { memberId, device, address }),
    deviceToken: createDeviceToken(secret, accountOf(ctx, form.email), deviceToken, clock.now()),
  }
}

/**
 * Creates a member on the decision of staff, who sets the first password with the link of a mail.
 * Failures: VALIDATION_FAILED, with the member who has the address.
 */
export const createMember = async (
  ctx: Ctx,
  by: AuditActor,
  { email, name, locale = ctx.customer.settings.base.locale }: z.output<typeof memberForm>,
): Promise<{ id: MemberId } | Failure> => {
  const { customer, db, clock } = ctx
  const refused = refuseName(ctx.locale, name) ?? refuseLanguage(ctx, locale, ctx.locale)
  if (refused) return refused
  const emailLower = lowerEmail(email)
  const id = newId<MemberId>()
  const member = { customerId: customer.id, id, email, emailLower, name, locale, passwordHash: noPassword }
  if (!(await insertMember(db, { ...member, createdAt: clock.now().toISOString() }))) {
    const memberId = await findMemberId(db, customer.id, emailLower)
    return invalid(ctx.locale, 'email', 'emailTaken', { data: { memberId } })
  }
  await invite(ctx, member)
  await emit(ctx, 'memberJoined', { memberId: id })
  const changes = changesOf({}, { locale })
  await audit(ctx, { actor: by, action: 'member.created', subject: `member:${id}`, changes })
  return { id }
}

const memberOf = (
  { customerId, email, emailLower, passwordHash, name, phone, address, locale, marketing }: JoinRow,
  id: MemberId,
  createdAt: string,
) => ({ customerId, id, email, emailLower, passwordHash, name, phone, address, locale, marketing, createdAt })
