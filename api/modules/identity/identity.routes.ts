import type { AddressBook } from '#api/platform/addresses/address-book.ts'
import { ApiError } from '#api/platform/http/problems.ts'
import {
  detachedCtx,
  implementProcedures,
  memberDetachedCtx,
  operatorName,
  type ProcedureContext,
  transact,
  transactAsMember,
  transactAsOperator,
  unwrap,
} from '#api/platform/http/procedures.ts'
import { callerLocale, ifMatch, isFromConsole, limited, mailboxPath } from '#api/platform/http/request-facts.ts'
import { headers } from '#contract/http.ts'
import type { IdentityLimits } from './identity-limits.ts'
import { confirmJoin, joinStage, requestJoin, resendJoinCode } from './join.ts'
import {
  changeEmail,
  changePartnerships,
  changeProfileByStaff,
  changeTags,
  listTags,
  restorePartnerships,
  setPartnership,
} from './member-changes.ts'
import { changePassword, checkReset, requestReset, resetPassword, sendResetByStaff } from './passwords.ts'
import { changeProfile, getProfile } from './profile.ts'
import {
  endOtherSessions,
  endSession,
  listSessions,
  openViewing,
  signMemberOut,
  unblockMember,
  viewingCookie,
} from './sessions.ts'
import { createMember, join, requestSignInLink, signIn } from './sign-in.ts'

/** What the procedures of this module need of the process. */
interface IdentityDeps {
  limits: IdentityLimits
  /** Finds postal addresses. */
  addresses: AddressBook
  /** Whether the demo's mailbox shows sent mails. */
  mailbox: boolean
}

const os = implementProcedures<IdentityDeps>()

type Context = ProcedureContext<IdentityDeps>

const visitorOf = ({ address, headers: sent }: Context) => ({ address, deviceToken: sent.get(headers.deviceToken) })

/** Answers with the token that makes the visitor's device a known one. */
const answerDeviceToken = ({ answerHeaders }: Context, { deviceToken }: { deviceToken: string }) =>
  answerHeaders.set(headers.deviceToken, deviceToken)

const withMailbox = <Answer extends object>({ deps }: Context, answer: Answer) => ({
  ...answer,
  mailbox: mailboxPath(deps),
})

export const joinProcedures = {
  requestJoin: os.identity.requestJoin.handler(async ({ context, input }) => {
    const request = { form: input, address: context.address, language: callerLocale(context) }
    return withMailbox(context, unwrap(await requestJoin(detachedCtx(context), context.deps, request)))
  }),
  joinStage: os.identity.joinStage.handler(async ({ context, input }) =>
    withMailbox(context, await transact(context, (ctx) => joinStage(ctx, input.token))),
  ),
  resendJoinCode: os.identity.resendJoinCode.handler(async ({ context, input }) =>
    withMailbox(context, unwrap(await resendJoinCode(detachedCtx(context), context.deps, input.token))),
  ),
  confirmJoin: os.identity.confirmJoin.handler(async ({ context, input }) => {
    const call = { ...input, language: callerLocale(context) }
    return withMailbox(context, await transact(context, (ctx) => confirmJoin(ctx, context.deps, call)))
  }),
  join: os.identity.join.handler(async ({ context, input }) => {
    const call = { ...input, ...visitorOf(context), device: context.device }
    const joined = await transact(context, (ctx) => join(ctx, context.deps, call))
    answerDeviceToken(context, joined)
    return joined.login
  }),
  requestReset: os.identity.requestReset.handler(async ({ context, input: { email } }) => {
    unwrap(await requestReset(detachedCtx(context), context.deps, { email, ...visitorOf(context) }))
    return withMailbox(context, {})
  }),
  requestSignInLink: os.identity.requestSignInLink.handler(async ({ context, input: { email } }) => {
    unwrap(await requestSignInLink(detachedCtx(context), context.deps, { email, ...visitorOf(context) }))
    return withMailbox(context, {})
  }),
  checkReset: os.identity.checkReset.handler(({ context, input: { accessKey } }) =>
    transact(context, (ctx) => checkReset(ctx, accessKey)),
  ),
  reset: os.identity.reset.handler(async ({ context, input }) => {
    const call = { ...input, ...visitorOf(context), language: callerLocale(context) }
    answerDeviceToken(context, unwrap(await resetPassword(detachedCtx(context), context.deps, call)))
  }),
}

const maxAddresses = 50

export const memberProcedures = {
  login: os.identity.login.handler(async ({ context, input }) => {
    const call = { ...input, ...visitorOf(context), device: context.device }
    const signedIn = unwrap(await signIn(detachedCtx(context), context.deps, call))
    answerDeviceToken(context, signedIn)
    return signedIn.login
  }),
  logout: os.identity.logout.handler(async ({ context }) => {
    await transactAsMember(context, (ctx) => endSession(ctx, ctx.actor.sessionId))
  }),
  profile: os.identity.profile.handler(({ context }) => transactAsMember(context, getProfile)),
  changeProfile: os.identity.changeProfile.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => changeProfile(ctx, input, callerLocale(context))),
  ),
  changePassword: os.identity.changePassword.handler(async ({ context, input }) => {
    const call = { ...input, language: callerLocale(context) }
    unwrap(await changePassword(memberDetachedCtx(context), context.deps, call))
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
    const { name, permissions, createdAt, expiresAt } = operator
    return { name, customerCode: customer.code, scopes: [...permissions], createdAt, expiresAt }
  }),
}

const members = os.admin.members

/** What operators do with accounts of members. */
export const accountProcedures = {
  tags: members.tags.handler(({ context }) => transact(context, listTags)),
  changeTags: members.changeTags.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => changeTags(ctx, by, input)),
  ),
  create: members.create.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => createMember(ctx, by, input)),
  ),
  change: members.change.handler(async ({ context, input }) => {
    const expected = ifMatch(context)
    await transactAsOperator(context, (ctx, by) => changeProfileByStaff(ctx, by, { change: input, expected }))
  }),
  signOut: members.signOut.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => signMemberOut(ctx, by, input.id))
  }),
  view: members.view.handler(async ({ context, input }) => {
    const { device, address, headers: sent, origin } = context
    const { token, expiresAt } = await transactAsOperator(context, (ctx, by) =>
      openViewing(ctx, by, { ...input, device, address }),
    )
    if (!isFromConsole(sent)) return { token, expiresAt }
    context.answerHeaders.append('set-cookie', viewingCookie(token, origin.startsWith('https:')))
    return { token: null, expiresAt }
  }),
  unblock: members.unblock.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => unblockMember(ctx, by, input))
  }),
  changeEmail: members.changeEmail.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => changeEmail(ctx, by, input))
  }),
  sendPasswordReset: members.sendPasswordReset.handler(async ({ context, input }) => {
    const call = { ...input, ...visitorOf(context) }
    unwrap(await sendResetByStaff(detachedCtx(context), context.deps, operatorName(context), call))
  }),
  setPartnership: members.setPartnership.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => setPartnership(ctx, by, input))
  }),
  changePartnerships: members.changePartnerships.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => changePartnerships(ctx, by, input)),
  ),
  restorePartnerships: members.restorePartnerships.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => restorePartnerships(ctx, by, input.items)),
  ),
}
