import { findCredentials } from '#api/db/queries/members.ts'
import { changePassword, checkChange } from '#api/domain/accounts/change-password.ts'
import { lowerEmail } from '#api/domain/accounts/email.ts'
import { endOtherSessions, endSession } from '#api/domain/accounts/end-session.ts'
import { exportMe } from '#api/domain/accounts/export-me.ts'
import { getMe } from '#api/domain/accounts/get-me.ts'
import { listSessions } from '#api/domain/accounts/list-sessions.ts'
import { openSession } from '#api/domain/accounts/open-session.ts'
import { hashPassword, verifyPassword } from '#api/domain/accounts/password.ts'
import { changeProfile, getProfile } from '#api/domain/accounts/profile.ts'
import { withdraw, withdrawalOutlook } from '#api/domain/accounts/withdraw.ts'
import { failure } from '#api/domain/failure.ts'
import { networkOf } from '#api/network.ts'
import { asMember, type CallContext, transact, transactAsMember, unwrap } from '../call-context.ts'
import { os } from '../implementer.ts'
import { limited, takeSharedTicket } from '../limits.ts'
import { callerLanguage } from '../locale.ts'
import { passwordAgain } from '../password-again.ts'
import { CallError } from '../problem.ts'

const mostAddresses = 50

/** Wrong tries are counted for the account and for the address; a right one is given back. */
const takeLoginTickets = async ({ deps, customer, address }: CallContext, email: string) => {
  const byAddress = await takeSharedTicket(deps.limits.loginByAddress, customer.id, networkOf(address))
  const byAccount = await takeSharedTicket(deps.limits.loginByAccount, customer.id, email)
  return async () => {
    await byAddress.giveBack()
    await byAccount.giveBack()
  }
}

export const accountCalls = {
  login: os.accounts.login.handler(async ({ context, input }) => {
    const email = lowerEmail(input.email)
    const giveBack = await takeLoginTickets(context, email)
    const member = await transact(context, ({ db, customer }) => findCredentials(db, customer.id, email))
    // Outside of a transaction: hashing takes longer than everything else together.
    if (!(await verifyPassword(input.password, member?.passwordHash ?? null)) || !member)
      throw new CallError('LOGIN_FAILED')
    await giveBack()
    const { device, address } = context
    return transact(context, async (ctx) => {
      // A password that was changed while this one was compared closes the door all the same.
      const now = await findCredentials(ctx.db, ctx.customer.id, email, { lock: true })
      if (now?.passwordHash !== member.passwordHash) return failure('LOGIN_FAILED')
      return openSession(ctx, { memberId: member.id, device, address })
    })
  }),
  logout: os.accounts.logout.handler(async ({ context }) => {
    await transactAsMember(context, (ctx) => endSession(ctx, ctx.actor.sessionId))
  }),
  me: os.accounts.me.handler(({ context }) => transactAsMember(context, getMe)),
  profile: os.accounts.profile.handler(({ context }) => transactAsMember(context, getProfile)),
  changeProfile: os.accounts.changeProfile.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => changeProfile(ctx, input, callerLanguage(context))),
  ),
  changePassword: os.accounts.changePassword.handler(async ({ context, input }) => {
    const member = await passwordAgain(asMember(context), 'currentPassword', input.currentPassword)
    unwrap(checkChange(input, member.email, callerLanguage(context)))
    const to = await hashPassword(input.newPassword)
    await transactAsMember(context, (ctx) => changePassword(ctx, { from: member.passwordHash, to }))
  }),
  exportMe: os.accounts.exportMe.handler(({ context }) => transactAsMember(context, exportMe)),
  withdrawal: os.accounts.withdrawal.handler(({ context }) => transactAsMember(context, withdrawalOutlook)),
  withdraw: os.accounts.withdraw.handler(async ({ context, input: { password, reason } }) => {
    const { passwordHash } = await passwordAgain(asMember(context), 'password', password)
    await transactAsMember(context, (ctx) => withdraw(ctx, { passwordHash, reason: reason || null }))
  }),
  searchAddress: os.accounts.searchAddress.handler(({ context, input }) =>
    limited(context, context.deps.limits.addresses, async () => {
      const items = await context.deps.addresses.search(input.q, mostAddresses).catch((error: unknown) => {
        context.log.warn({ err: error }, 'Addresses could not be searched')
        throw new CallError('UNAVAILABLE')
      })
      return { items }
    }),
  ),
  sessions: os.accounts.sessions.handler(async ({ context }) => ({
    items: await transactAsMember(context, listSessions),
  })),
  endOtherSessions: os.accounts.endOtherSessions.handler(({ context }) => transactAsMember(context, endOtherSessions)),
  endSession: os.accounts.endSession.handler(async ({ context, input }) => {
    await transactAsMember(context, (ctx) => endSession(ctx, input.id))
  }),
}
