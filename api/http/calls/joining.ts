import { confirmJoin } from '#api/domain/accounts/confirm-join.ts'
import { lowerEmail } from '#api/domain/accounts/email.ts'
import { join } from '#api/domain/accounts/join.ts'
import { openJoin, type Stage, stageOf } from '#api/domain/accounts/join-stage.ts'
import { hashPassword } from '#api/domain/accounts/password.ts'
import { checkJoin, requestJoin } from '#api/domain/accounts/request-join.ts'
import { resendJoinCode } from '#api/domain/accounts/resend-join-code.ts'
import { checkNewPassword, checkReset, requestReset, resetPassword } from '#api/domain/accounts/reset-password.ts'
import { isFailure } from '#api/domain/failure.ts'
import { networkOf } from '#api/network.ts'
import { secretFor } from '#api/secrets.ts'
import { type CallContext, transact, unwrap } from '../call-context.ts'
import { os } from '../implementer.ts'
import { takeSharedTicket } from '../limits.ts'
import { callerLanguage } from '../locale.ts'
import { mailboxPath } from '../mailbox/path.ts'
import { atLeast } from '../steady.ts'

/** How long asking for a reset takes, whether there is such a member or not. */
const resetMilliseconds = 250

const codeKeyOf = ({ deps }: CallContext) => secretFor(deps.secret, 'join codes')
const answer = ({ deps }: CallContext, stage: Stage) => ({ ...stage, mailbox: mailboxPath(deps) })

/** Every mail to somebody who has not said yes yet is counted: for its address, and for whoever asks. */
const takeMailTickets = async ({ deps, customer, address }: CallContext, email: string) => {
  await takeSharedTicket(deps.limits.mailsByAddress, customer.id, networkOf(address))
  await takeSharedTicket(deps.limits.joinsByEmail, customer.id, lowerEmail(email))
}

export const joiningCalls = {
  requestJoin: os.joining.requestJoin.handler(async ({ context, input }) => {
    const phone = unwrap(checkJoin(context.customer, input, callerLanguage(context)))
    await takeMailTickets(context, input.email)
    // Outside of a transaction: hashing takes longer than everything else together.
    const passwordHash = await hashPassword(input.password)
    const wish = { ...input, phone, passwordHash, locale: context.locale, codeKey: codeKeyOf(context) }
    return answer(context, await transact(context, (ctx) => requestJoin(ctx, wish)))
  }),
  joinStage: os.joining.joinStage.handler(async ({ context, input: { token } }) => {
    const stage = await transact(context, async (ctx) => {
      const row = await openJoin(ctx, token)
      return isFailure(row) ? row : stageOf(row, token, ctx.clock.now())
    })
    return answer(context, stage)
  }),
  resendJoinCode: os.joining.resendJoinCode.handler(async ({ context, input: { token } }) => {
    await takeSharedTicket(context.deps.limits.mailsByAddress, context.customer.id, networkOf(context.address))
    await takeSharedTicket(context.deps.limits.resendsByJoin, context.customer.id, token)
    return answer(
      context,
      await transact(context, (ctx) => resendJoinCode(ctx, { token, codeKey: codeKeyOf(context) })),
    )
  }),
  confirmJoin: os.joining.confirmJoin.handler(async ({ context, input }) => {
    const given = { ...input, codeKey: codeKeyOf(context), language: callerLanguage(context) }
    return answer(context, await transact(context, (ctx) => confirmJoin(ctx, given)))
  }),
  join: os.joining.join.handler(({ context, input }) => {
    const { device, address } = context
    return transact(context, (ctx) => join(ctx, { ...input, device, address }))
  }),
  requestReset: os.joining.requestReset.handler(async ({ context, input: { email } }) => {
    const { deps, customer, address } = context
    await takeSharedTicket(deps.limits.mailsByAddress, customer.id, networkOf(address))
    await takeSharedTicket(deps.limits.resetsByEmail, customer.id, lowerEmail(email))
    await atLeast(resetMilliseconds, () => transact(context, (ctx) => requestReset(ctx, email, context.locale)))
    return { mailbox: mailboxPath(deps) }
  }),
  checkReset: os.joining.checkReset.handler(async ({ context, input: { accessKey } }) => {
    const { email } = await transact(context, (ctx) => checkReset(ctx, accessKey))
    return { email }
  }),
  reset: os.joining.reset.handler(async ({ context, input: { accessKey, password } }) => {
    const { email } = await transact(context, (ctx) => checkReset(ctx, accessKey))
    unwrap(checkNewPassword(password, email, callerLanguage(context)))
    const hash = await hashPassword(password)
    const { emailLower } = await transact(context, (ctx) => resetPassword(ctx, accessKey, hash))
    // Who has just proven to be the owner does not wait for wrong tries to be forgotten.
    await context.deps.limits.loginByAccount.forget(context.customer.id, emailLower)
  }),
}
