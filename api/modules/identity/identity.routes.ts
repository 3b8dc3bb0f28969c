import { isFailure } from '#api/platform/context.ts'
import { atLeast, secretFor } from '#api/platform/crypto.ts'
import { ApiError } from '#api/platform/http/problems.ts'
import { type CallContext, os, transact, unwrap } from '#api/platform/http/procedures.ts'
import { consumeSharedLimit, mailboxPath } from '#api/platform/http/request-facts.ts'
import { callerLocale } from '#api/platform/i18n/translations.ts'
import { networkOf } from '#api/platform/limits/rate-limits.ts'
import { answerDeviceToken, signInEnv } from './caller.ts'
import { checkJoin, confirmJoin, join, openJoin, requestJoin, resendJoinCode, type Stage, stageOf } from './join.ts'
import { checkNewPassword, checkReset, hashPassword, requestReset, resetPassword } from './passwords.ts'
import { lowerEmail } from './profile.ts'
import { createLinkKey, sendSignInLink } from './sessions.ts'
import { accountOf, deviceOf, trustDevice } from './sign-in.ts'

/**
 * The minimum duration of a mail request, so that timing does not reveal whether a member exists.
 */
const mailMilliseconds = 250

const codeKeyOf = ({ deps }: CallContext) => secretFor(deps.secret, 'join codes')
const answer = ({ deps }: CallContext, stage: Stage) => ({ ...stage, mailbox: mailboxPath(deps) })

/** Counts each code sent to an unconfirmed email: per email, per address, and per both. */
const countJoin = async ({ deps, customer, address }: CallContext, email: string) => {
  const network = networkOf(address)
  await consumeSharedLimit(deps.limits.joinsFrom, customer.id, `${lowerEmail(email)} ${network}`)
  await consumeSharedLimit(deps.limits.mailsByAddress, customer.id, network)
  await consumeSharedLimit(deps.limits.joinsByEmail, customer.id, lowerEmail(email))
}

/**
 * Counts the recipients of mails requested by a network, each once. A known device of the account
 * is not counted, so that others cannot exhaust the account's mails.
 */
const countMail = async (call: CallContext, email: string) => {
  const { deps, customer, address } = call
  if (deviceOf(signInEnv(call), accountOf(call, email))) return
  const network = networkOf(address)
  const first = await deps.limits.mailsToOne.consume(customer.id, `${lowerEmail(email)} ${network}`)
  if (first.code === 'EXHAUSTED') return
  try {
    await consumeSharedLimit(deps.limits.mailsByAddress, customer.id, network)
  } catch (error) {
    await first.release()
    throw error
  }
}

export const joiningProcedures = {
  requestJoin: os.joining.requestJoin.handler(async ({ context, input }) => {
    const phone = unwrap(checkJoin(context.customer, input, callerLocale(context)))
    await countJoin(context, input.email)
    // Runs outside the transaction because hashing takes longer than all its queries.
    const passwordHash = await hashPassword(input.password)
    const form = { ...input, phone, passwordHash, locale: context.locale, codeKey: codeKeyOf(context) }
    return answer(context, await transact(context, (ctx) => requestJoin(ctx, form)))
  }),
  joinStage: os.joining.joinStage.handler(async ({ context, input: { token } }) => {
    const stage = await transact(context, async (ctx) => {
      const row = await openJoin(ctx, token)
      return isFailure(row) ? row : stageOf(row, token, ctx.clock.now())
    })
    return answer(context, stage)
  }),
  resendJoinCode: os.joining.resendJoinCode.handler(async ({ context, input: { token } }) => {
    await consumeSharedLimit(context.deps.limits.resendsByJoin, context.customer.id, token)
    return answer(
      context,
      await transact(context, (ctx) => resendJoinCode(ctx, { token, codeKey: codeKeyOf(context) })),
    )
  }),
  confirmJoin: os.joining.confirmJoin.handler(async ({ context, input }) => {
    const given = { ...input, codeKey: codeKeyOf(context), language: callerLocale(context) }
    return answer(context, await transact(context, (ctx) => confirmJoin(ctx, given)))
  }),
  join: os.joining.join.handler(async ({ context, input }) => {
    const { device, address } = context
    const { email, ...answered } = await transact(context, (ctx) => join(ctx, { ...input, device, address }))
    answerDeviceToken(context, trustDevice(signInEnv(context), accountOf(context, email)))
    return answered
  }),
  requestReset: os.joining.requestReset.handler(async ({ context, input: { email } }) => {
    await countMail(context, email)
    await atLeast(mailMilliseconds, () => transact(context, (ctx) => requestReset(ctx, email, context.locale)))
    return { mailbox: mailboxPath(context.deps) }
  }),
  requestSignInLink: os.joining.requestSignInLink.handler(async ({ context, input: { email } }) => {
    const { deps, customer } = context
    await countMail(context, email)
    await atLeast(mailMilliseconds, async () => {
      const account = accountOf(context, email)
      // The link of a recent mail is still valid, whoever requested it.
      if ((await deps.limits.signInLinks.consume(customer.id, account.emailLower)).code === 'EXHAUSTED') return
      const link = createLinkKey(signInEnv(context).deviceSecret, account, deps.clock.now())
      await transact(context, (ctx) => sendSignInLink(ctx, account, link, context.locale))
    })
    return { mailbox: mailboxPath(deps) }
  }),
  checkReset: os.joining.checkReset.handler(async ({ context, input: { accessKey } }) => {
    const { email } = await transact(context, (ctx) => checkReset(ctx, accessKey))
    return { email }
  }),
  reset: os.joining.reset.handler(async ({ context, input: { accessKey, password } }) => {
    const { email } = await transact(context, (ctx) => checkReset(ctx, accessKey))
    unwrap(checkNewPassword(password, email, callerLocale(context)))
    const hash = await hashPassword(password)
    const { emailLower } = await transact(context, (ctx) => resetPassword(ctx, accessKey, hash))
    // The new password proves ownership, so earlier wrong tries no longer delay this member.
    const { limits } = context.deps
    await limits.loginByAccount.reset(context.customer.id, emailLower)
    await limits.loginFrom.reset(context.customer.id, `${emailLower} ${networkOf(context.address)}`)
    answerDeviceToken(context, trustDevice(signInEnv(context), accountOf(context, email)))
  }),
}

export const operatorProcedures = {
  operator: os.operators.operator.handler(({ context: { customer, operator } }) => {
    if (!operator) throw new ApiError('UNAUTHORIZED')
    const { name, scopes, createdAt, expiresAt } = operator
    return { name, customerCode: customer.code, scopes, createdAt, expiresAt }
  }),
}
