import { knowsNetwork } from '#api/db/queries/known-networks.ts'
import { findCredentials } from '#api/db/queries/members.ts'
import { lowerEmail } from '#api/domain/accounts/email.ts'
import { type Account, knownDevice, linkOf, rememberAccount } from '#api/domain/accounts/known-source.ts'
import { openSession } from '#api/domain/accounts/open-session.ts'
import { verifyPassword } from '#api/domain/accounts/password.ts'
import { failure } from '#api/domain/failure.ts'
import { networkOf } from '#api/network.ts'
import { secretFor } from '#api/secrets.ts'
import type { SharedTicket } from '#api/shared-limit.ts'
import { headers as headerNames } from '#contract/index.ts'
import { type CallContext, transact } from './call-context.ts'
import { CallError } from './problem.ts'
import { atLeast } from './steady.ts'

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
  new CallError('RATE_LIMITED', { retryAfterSeconds, data: { retryAfterSeconds, signInLink: true } })

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
  const wrong = new CallError('LOGIN_FAILED')
  const proof = deviceOf(call, account) ?? linkOf(linkSecret(call), account, linkKey, deps.clock.now())
  if (proof) {
    const own = await limits.loginByDevice.take(customer.id, `${emailLower} ${proof}`)
    // A device that was wrong too often is an unknown one for a while.
    if (own.code === 'TAKEN') return { compares: 'ALWAYS' as const, wrong, forget: own.giveBack }
  }
  const network = networkOf(address)
  const here = await limits.loginFrom.take(customer.id, `${emailLower} ${network}`)
  if (here.code === 'EXHAUSTED') throw tooMany(here.retryAfterSeconds)
  const byAccount = await limits.loginByAccount.take(customer.id, emailLower)
  // Of one network the accounts it tries are counted, not how often it tries each.
  const byNetwork = await limits.loginByNetwork[here.count === 1 ? 'take' : 'look'](customer.id, network)
  const forget = async () => {
    for (const ticket of [here, byAccount, byNetwork]) if (ticket?.code === 'TAKEN') await ticket.giveBack()
  }
  const waits = [byAccount, byNetwork].flatMap((one: SharedTicket | null) =>
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
