import { findCredentials } from '#api/db/queries/members.ts'
import { lowerEmail } from '#api/domain/accounts/email.ts'
import { endOtherSessions, endSession } from '#api/domain/accounts/end-session.ts'
import { getMe } from '#api/domain/accounts/get-me.ts'
import { listSessions } from '#api/domain/accounts/list-sessions.ts'
import { openSession } from '#api/domain/accounts/open-session.ts'
import { verifyPassword } from '#api/domain/accounts/password.ts'
import type { RateLimit } from '#api/rate-limit.ts'
import { type CallContext, transact, transactAsMember } from '../call-context.ts'
import { os } from '../implementer.ts'
import { CallError } from '../problem.ts'

const takeTicket = (limit: RateLimit, key: string) => {
  const ticket = limit.take(key)
  if (ticket.code === 'EXHAUSTED') throw new CallError('RATE_LIMITED', { retryAfterSeconds: ticket.retryAfterSeconds })
  return ticket
}

/** Wrong tries are counted for the account and for the address; a right one is given back. */
const takeLoginTickets = ({ deps, customer, address }: CallContext, email: string) => {
  const tickets = [
    takeTicket(deps.limits.loginByAddress, address),
    takeTicket(deps.limits.loginByAccount, `${customer.id}:${email}`),
  ]
  return () => {
    for (const ticket of tickets) ticket.giveBack()
  }
}

export const accountCalls = {
  login: os.accounts.login.handler(async ({ context, input }) => {
    const email = lowerEmail(input.email)
    const giveBack = takeLoginTickets(context, email)
    const member = await transact(context, ({ db, customer }) => findCredentials(db, customer.id, email))
    // Outside of a transaction: hashing takes longer than everything else together.
    if (!(await verifyPassword(input.password, member?.passwordHash ?? null)) || !member)
      throw new CallError('LOGIN_FAILED')
    giveBack()
    const { device, address } = context
    return transact(context, (ctx) => openSession(ctx, { memberId: member.id, device, address }))
  }),
  logout: os.accounts.logout.handler(async ({ context }) => {
    await transactAsMember(context, (ctx) => endSession(ctx, ctx.actor.sessionId))
  }),
  me: os.accounts.me.handler(({ context }) => transactAsMember(context, getMe)),
  sessions: os.accounts.sessions.handler(async ({ context }) => ({
    items: await transactAsMember(context, listSessions),
  })),
  endOtherSessions: os.accounts.endOtherSessions.handler(({ context }) => transactAsMember(context, endOtherSessions)),
  endSession: os.accounts.endSession.handler(async ({ context, input }) => {
    await transactAsMember(context, (ctx) => endSession(ctx, input.id))
  }),
}
