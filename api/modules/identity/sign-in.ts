import { failure } from '#api/platform/context.ts'
import { atLeast, secretFor } from '#api/platform/crypto.ts'
import { ApiError } from '#api/platform/http/problems.ts'
import { type CallContext, type MemberCallContext, transact, unwrap } from '#api/platform/http/procedures.ts'
import { consumeSharedLimit } from '#api/platform/http/request-facts.ts'
import { callerLocale } from '#api/platform/i18n/translations.ts'
import { networkOf, type SharedRateLimitResult } from '#api/platform/limits/rate-limits.ts'
import { headers as headerNames, headers } from '#contract/index.ts'
import { findCredentials, findMember } from './identity.queries.ts'
import { verifyPassword } from './passwords.ts'
import { invalid, lowerEmail } from './profile.ts'
import { knowsNetwork } from './sessions.queries.ts'
import { type Account, createGuestToken, knownDevice, linkOf, openSession, rememberAccount } from './sessions.ts'

const deviceSecret = ({ deps }: CallContext) => secretFor(deps.secret, 'known devices')
/** The account an e-mail names in this store, whether there is one or not. */
export const accountOf = ({ customer }: CallContext, email: string): Account => ({
  customerId: customer.id,
  emailLower: lowerEmail(email),
})

/** The known device a call comes from, for one account. */
export const deviceOf = (call: CallContext, account: Account) =>
  knownDevice(deviceSecret(call), account, call.headers.get(headerNames.deviceToken), call.deps.clock.now())

/** Lets the device of a call prove from now on that the account has signed in on it. */
export const trustDevice = (call: CallContext, account: Account) => {
  const token = rememberAccount(
    deviceSecret(call),
    account,
    call.headers.get(headerNames.deviceToken),
    call.deps.clock.now(),
  )
  call.answerHeaders.set(headerNames.deviceToken, token)
}

export const linkSecret = deviceSecret

/** The same answer for every account, whether it exists or not: when to try again, and that a mail lets its owner in meanwhile. */
const tooMany = (retryAfterSeconds: number) =>
  new ApiError('RATE_LIMITED', { retryAfterSeconds, data: { retryAfterSeconds, signInLink: true } })

/** Longer than comparing a password takes. */
const refusalMilliseconds = 250

interface Try {
  email: string
  password: string
  linkKey?: string | undefined
}

/**
 * Counts a try at a password, and says whether the password may be compared, what a wrong one is answered with, and how to forget a
 * right one.
 *
 * A known device, or whoever opened the link of a mail, has tries of its own. Everyone else is counted by account and network (a pause
 * that grows), by account over all networks, and by network over the accounts it tries. Past these limits the password is
 * compared only where the account has signed in from this network before; answer and time are the same for all others.
 */
const countTry = async (call: CallContext, account: Account, linkKey: string | undefined) => {
  const { deps, customer, address } = call
  const { limits } = deps
  const { emailLower } = account
  const wrong = new ApiError('LOGIN_FAILED')
  const proof = deviceOf(call, account) ?? linkOf(linkSecret(call), account, linkKey, deps.clock.now())
  if (proof) {
    const own = await limits.loginByDevice.consume(customer.id, `${emailLower} ${proof}`)
    // A device that was wrong too often is an unknown one for a while.
    if (own.code === 'TAKEN') return { compares: 'ALWAYS' as const, wrong, forget: own.release }
  }
  const network = networkOf(address)
  const here = await limits.loginFrom.consume(customer.id, `${emailLower} ${network}`)
  if (here.code === 'EXHAUSTED') throw tooMany(here.retryAfterSeconds)
  const byAccount = await limits.loginByAccount.consume(customer.id, emailLower)
  // Of one network the accounts it tries are counted, not how often it tries each.
  const byNetwork = await limits.loginByNetwork[here.count === 1 ? 'consume' : 'peek'](customer.id, network)
  const forget = async () => {
    for (const ticket of [here, byAccount, byNetwork]) if (ticket?.code === 'TAKEN') await ticket.release()
  }
  const waits = [byAccount, byNetwork].flatMap((one: SharedRateLimitResult | null) =>
    one?.code === 'EXHAUSTED' ? [one.retryAfterSeconds] : [],
  )
  if (waits.length === 0) return { compares: 'ALWAYS' as const, wrong, forget }
  return { compares: 'FROM_KNOWN_NETWORK' as const, wrong: tooMany(Math.max(...waits)), forget }
}

/** Signs in with a password. Outside of a transaction: comparing takes longer than everything else together. */
export const signIn = async (call: CallContext, { email, password, linkKey }: Try) => {
  const account = accountOf(call, email)
  const network = networkOf(call.address)
  const { compares, wrong, forget } = await countTry(call, account, linkKey)
  const member = await transact(call, async ({ db, customer }) => {
    const found = await findCredentials(db, customer.id, account.emailLower)
    const known = await knowsNetwork(db, customer.id, found?.id ?? null, network)
    return found && { ...found, compared: compares === 'ALWAYS' || known }
  })
  const compare = () => verifyPassword(password, member?.passwordHash ?? null)
  // Past the limits nothing is compared for most, and so cheaply: the wait hides for whom it is.
  const right =
    compares === 'ALWAYS'
      ? await compare()
      : await atLeast(refusalMilliseconds, async () => member?.compared && compare())
  if (!right || !member) throw wrong
  await forget()
  const { device, address } = call
  const answer = await transact(call, async (ctx) => {
    // A password that was changed while this one was compared closes the door all the same.
    const now = await findCredentials(ctx.db, ctx.customer.id, account.emailLower, { lock: true })
    if (now?.passwordHash !== member.passwordHash) return failure('LOGIN_FAILED')
    return openSession(ctx, { memberId: member.id, device, address })
  })
  trustDevice(call, account)
  return answer
}

/** The member of this call, who has just given their password again; `field` is blamed for a wrong one. Wrong tries are counted. */
export const passwordAgain = async (call: MemberCallContext, field: string, password: string) => {
  const { customer, actor, deps } = call
  const ticket = await consumeSharedLimit(deps.limits.passwords, customer.id, actor.sessionId)
  const member = await transact(
    call,
    async ({ db }) => (await findMember(db, customer.id, actor.memberId)) ?? failure('SESSION_EXPIRED'),
  )
  // Outside of a transaction: hashing takes longer than everything else together.
  if (!(await verifyPassword(password, member.passwordHash)))
    return unwrap(invalid(callerLocale(call), field, 'wrongPassword'))
  await ticket.release()
  return member
}

/** A guest who is about to leave the first trace gets an id; the answer carries its token, to be shown from then on. */
export const withGuest = (call: CallContext): CallContext => {
  if (call.actor.kind === 'USER' || call.actor.guestId !== null) return call
  const { guestId, token } = createGuestToken(call.deps.secret, call.customer.id)
  call.answerHeaders.set(headers.guestToken, token)
  return { ...call, actor: { kind: 'GUEST', guestId } }
}
