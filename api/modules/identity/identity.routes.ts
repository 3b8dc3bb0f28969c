import { isFailure } from '#api/platform/context.ts'
import { atLeast, secretFor } from '#api/platform/crypto.ts'
import { ApiError } from '#api/platform/http/problems.ts'
import { asMember, type CallContext, os, transact, transactAsMember, unwrap } from '#api/platform/http/procedures.ts'
import { consumeSharedLimit, limited, mailboxPath } from '#api/platform/http/request-facts.ts'
import { callerLocale } from '#api/platform/i18n/translations.ts'
import { networkOf } from '#api/platform/limits/rate-limits.ts'
import { checkJoin, confirmJoin, join, openJoin, requestJoin, resendJoinCode, type Stage, stageOf } from './join.ts'
import {
  changePassword,
  checkChange,
  checkNewPassword,
  checkReset,
  confirmPassword,
  hashPassword,
  requestReset,
  resetPassword,
} from './passwords.ts'
import { changeProfile, getProfile, lowerEmail } from './profile.ts'
import { endOtherSessions, endSession, listSessions } from './sessions.ts'
import { accountOf, createLinkKey, deviceOf, sendSignInLink, signIn, trustDevice } from './sign-in.ts'

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
  if (deviceOf(call, accountOf(call, email))) return
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

export const joinProcedures = {
  requestJoin: os.identity.requestJoin.handler(async ({ context, input }) => {
    const phone = unwrap(checkJoin(context.customer, input, callerLocale(context)))
    await countJoin(context, input.email)
    // Runs outside the transaction because hashing takes longer than all its queries.
    const passwordHash = await hashPassword(input.password)
    const form = { ...input, phone, passwordHash, locale: context.locale, codeKey: codeKeyOf(context) }
    return answer(context, await transact(context, (ctx) => requestJoin(ctx, form)))
  }),
  joinStage: os.identity.joinStage.handler(async ({ context, input: { token } }) => {
    const stage = await transact(context, async (ctx) => {
      const row = await openJoin(ctx, token)
      return isFailure(row) ? row : stageOf(row, token, ctx.clock.now())
    })
    return answer(context, stage)
  }),
  resendJoinCode: os.identity.resendJoinCode.handler(async ({ context, input: { token } }) => {
    await consumeSharedLimit(context.deps.limits.resendsByJoin, context.customer.id, token)
    return answer(
      context,
      await transact(context, (ctx) => resendJoinCode(ctx, { token, codeKey: codeKeyOf(context) })),
    )
  }),
  confirmJoin: os.identity.confirmJoin.handler(async ({ context, input }) => {
    const given = { ...input, codeKey: codeKeyOf(context), language: callerLocale(context) }
    return answer(context, await transact(context, (ctx) => confirmJoin(ctx, given)))
  }),
  join: os.identity.join.handler(async ({ context, input }) => {
    const { device, address } = context
    const { email, ...answered } = await transact(context, (ctx) => join(ctx, { ...input, device, address }))
    trustDevice(context, accountOf(context, email))
    return answered
  }),
  requestReset: os.identity.requestReset.handler(async ({ context, input: { email } }) => {
    await countMail(context, email)
    await atLeast(mailMilliseconds, () => transact(context, (ctx) => requestReset(ctx, email, context.locale)))
    return { mailbox: mailboxPath(context.deps) }
  }),
  requestSignInLink: os.identity.requestSignInLink.handler(async ({ context, input: { email } }) => {
    const { deps, customer } = context
    await countMail(context, email)
    await atLeast(mailMilliseconds, async () => {
      const account = accountOf(context, email)
      // The link of a recent mail is still valid, whoever requested it.
      if ((await deps.limits.signInLinks.consume(customer.id, account.emailLower)).code === 'EXHAUSTED') return
      const link = createLinkKey(context, account)
      await transact(context, (ctx) => sendSignInLink(ctx, account, link, context.locale))
    })
    return { mailbox: mailboxPath(deps) }
  }),
  checkReset: os.identity.checkReset.handler(async ({ context, input: { accessKey } }) => {
    const { email } = await transact(context, (ctx) => checkReset(ctx, accessKey))
    return { email }
  }),
  reset: os.identity.reset.handler(async ({ context, input: { accessKey, password } }) => {
    const { email } = await transact(context, (ctx) => checkReset(ctx, accessKey))
    unwrap(checkNewPassword(password, email, callerLocale(context)))
    const hash = await hashPassword(password)
    const { emailLower } = await transact(context, (ctx) => resetPassword(ctx, accessKey, hash))
    // The new password proves ownership, so earlier wrong tries no longer delay this member.
    const { limits } = context.deps
    await limits.loginByAccount.reset(context.customer.id, emailLower)
    await limits.loginFrom.reset(context.customer.id, `${emailLower} ${networkOf(context.address)}`)
    trustDevice(context, accountOf(context, email))
  }),
}

const maxAddresses = 50

export const memberProcedures = {
  login: os.identity.login.handler(async ({ context, input }) => unwrap(await signIn(context, input))),
  logout: os.identity.logout.handler(async ({ context }) => {
    await transactAsMember(context, (ctx) => endSession(ctx, ctx.actor.sessionId))
  }),
  profile: os.identity.profile.handler(({ context }) => transactAsMember(context, getProfile)),
  changeProfile: os.identity.changeProfile.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => changeProfile(ctx, input, callerLocale(context))),
  ),
  changePassword: os.identity.changePassword.handler(async ({ context, input }) => {
    const { actor } = asMember(context)
    const member = unwrap(await confirmPassword(context, actor, 'currentPassword', input.currentPassword))
    unwrap(checkChange(input, member.email, callerLocale(context)))
    const to = await hashPassword(input.newPassword)
    await transactAsMember(context, (ctx) => changePassword(ctx, { from: member.passwordHash, to }))
  }),
  searchAddress: os.identity.searchAddress.handler(({ context, input }) =>
    limited(context, context.deps.limits.addresses, async () => {
      const items = await context.deps.addresses.search(input.q, maxAddresses).catch((error: unknown) => {
        context.log.warn({ err: error }, 'Addresses could not be searched')
        throw new ApiError('UNAVAILABLE')
      })
      return { items }
    }),
  ),
  sessions: os.identity.sessions.handler(async ({ context }) => ({
    items: await transactAsMember(context, listSessions),
  })),
  endOtherSessions: os.identity.endOtherSessions.handler(({ context }) => transactAsMember(context, endOtherSessions)),
  endSession: os.identity.endSession.handler(async ({ context, input }) => {
    await transactAsMember(context, (ctx) => endSession(ctx, input.id))
  }),
}

export const operatorProcedures = {
  operator: os.identity.operator.handler(({ context: { customer, operator } }) => {
    if (!operator) throw new ApiError('UNAUTHORIZED')
    const { name, scopes, createdAt, expiresAt } = operator
    return { name, customerCode: customer.code, scopes, createdAt, expiresAt }
  }),
}
