import { createToken, listTokens, revokeToken } from '#api/modules/identity/operator-tokens.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import type { Ctx } from '#api/platform/context.ts'
import { ApiError } from '#api/platform/http/problems.ts'
import {
  detachedCtx,
  implementProcedures,
  operatorName,
  type ProcedureContext,
  staffOf,
  transact,
  transactAsOperator,
  unwrap,
} from '#api/platform/http/procedures.ts'
import {
  callerLocale,
  consumeLimit,
  consumeSharedLimit,
  ifMatch,
  isFromConsole,
} from '#api/platform/http/request-facts.ts'
import { networkOf } from '#api/platform/limits/rate-limits.ts'
import { headers } from '#contract/http.ts'
import { acceptInvitation, checkInvitation, inviteStaff, listInvitations, revokeInvitation } from './invitations.ts'
import {
  addPasskey,
  confirmPasskey,
  createPasskeyRequest,
  listPasskeys,
  removePasskey,
  signInWithPasskey,
  startPasskey,
} from './passkeys.ts'
import { changeView, listViews, removeView, saveView } from './saved-views.ts'
import { confirmSecondFactor, confirmTotp, removeTotp, startTotp } from './second-factor.ts'
import {
  checkSecondFactorReset,
  confirmEmailChange,
  requestEmailChange,
  requestStaffReset,
  resetSecondFactorOfColleague,
  resetStaffPassword,
} from './staff-recovery.ts'
import {
  changeRole,
  changeStaffRole,
  createRole,
  deleteRole,
  type Grantor,
  getCurrentStaff,
  listRoles,
  listStaff,
  refuseGrant,
  removeStaff,
} from './staff-roles.ts'
import {
  belongsToOtherStore,
  endOtherStaffSessions,
  endStaffSession,
  listOwnStores,
  listStaffSessions,
  signedInCookies,
  signedOutCookie,
  staffDeviceToken,
} from './staff-sessions.ts'
import {
  changeStaffPassword,
  changeStaffProfile,
  type StaffDeps,
  type StaffSignedInOn,
  signInStaff,
} from './staff-sign-in.ts'

const os = implementProcedures<StaffDeps>()

type Context = ProcedureContext<StaffDeps>

const isSecure = ({ origin }: Context) => origin.startsWith('https:')

const visitorOf = (context: Context) => ({
  address: context.address,
  device: context.device,
  deviceToken: staffDeviceToken(context.headers, isSecure(context)),
})

/** Returns a sign-in to a program, or to the console with the token in a cookie. */
const answerSignIn = (context: Context, { session, deviceToken }: StaffSignedInOn) => {
  const { token, expiresAt, stage } = session
  if (!isFromConsole(context.headers)) {
    context.answerHeaders.set(headers.deviceToken, deviceToken)
    return { token, expiresAt, stage }
  }
  const seconds = Math.floor((Date.parse(expiresAt) - context.deps.clock.now().getTime()) / 1000)
  for (const cookie of signedInCookies({ token, seconds, deviceToken }, isSecure(context)))
    context.answerHeaders.append('set-cookie', cookie)
  return { token: null, expiresAt, stage }
}

const account = {
  signIn: os.staff.signIn.handler(async ({ context, input }) => {
    const call = { ...input, ...visitorOf(context) }
    return answerSignIn(context, unwrap(await signInStaff(detachedCtx(context), context.deps, call)))
  }),
  signOut: os.staff.signOut.handler(async ({ context }) => {
    const operator = staffOf(context)
    await transact(context, (ctx) => endStaffSession(ctx, operator, operator.sessionId))
    context.answerHeaders.append('set-cookie', signedOutCookie(isSecure(context)))
  }),
  me: os.staff.me.handler(({ context }) =>
    transact(context, (ctx) => getCurrentStaff(ctx, staffOf(context), context.deps)),
  ),
  changeProfile: os.staff.changeProfile.handler(async ({ context, input }) => {
    await transact(context, (ctx) => changeStaffProfile(ctx, staffOf(context), input))
  }),
  changePassword: os.staff.changePassword.handler(async ({ context, input }) => {
    const call = { ...input, language: callerLocale(context) }
    unwrap(await changeStaffPassword(detachedCtx(context), context.deps, staffOf(context), call))
  }),
  requestEmailChange: os.staff.requestEmailChange.handler(async ({ context, input }) => {
    const call = { ...input, ...visitorOf(context), language: callerLocale(context) }
    unwrap(await requestEmailChange(detachedCtx(context), context.deps, staffOf(context), call))
  }),
  confirmEmailChange: os.staff.confirmEmailChange.handler(async ({ context, input }) => {
    await consumeSharedLimit(context.deps.limits.staff.keys, context.customer.id, networkOf(context.address))
    return transact(context, (ctx) => confirmEmailChange(ctx, context.deps, input.key))
  }),
  sessions: os.staff.sessions.handler(async ({ context }) => ({
    items: await transact(context, (ctx) => listStaffSessions(ctx, staffOf(context))),
  })),
  endSession: os.staff.endSession.handler(async ({ context, input }) => {
    await transact(context, (ctx) => endStaffSession(ctx, staffOf(context), input.id))
  }),
  endOtherSessions: os.staff.endOtherSessions.handler(({ context }) =>
    transact(context, (ctx) => endOtherStaffSessions(ctx, staffOf(context))),
  ),
  confirmSecondFactor: os.staff.confirmSecondFactor.handler(async ({ context, input }) => {
    const call = { ...input, address: context.address }
    unwrap(await confirmSecondFactor(detachedCtx(context), context.deps, staffOf(context), call))
  }),
  startTotp: os.staff.startTotp.handler(async ({ context, input }) => {
    const call = { ...input, language: callerLocale(context) }
    return unwrap(await startTotp(detachedCtx(context), context.deps, staffOf(context), call))
  }),
  confirmTotp: os.staff.confirmTotp.handler(async ({ context, input }) => {
    const call = { ...input, address: context.address }
    return unwrap(await confirmTotp(detachedCtx(context), context.deps, staffOf(context), call))
  }),
  removeTotp: os.staff.removeTotp.handler(async ({ context, input }) => {
    const call = { ...input, language: callerLocale(context) }
    unwrap(await removeTotp(detachedCtx(context), context.deps, staffOf(context), call))
  }),
  requestReset: os.staff.requestReset.handler(async ({ context, input }) => {
    const call = { ...input, ...visitorOf(context) }
    unwrap(await requestStaffReset(detachedCtx(context), context.deps, call))
  }),
  reset: os.staff.reset.handler(async ({ context, input }) => {
    const call = { ...input, address: context.address, language: callerLocale(context) }
    unwrap(await resetStaffPassword(detachedCtx(context), context.deps, call))
  }),
  checkInvitation: os.staff.checkInvitation.handler(async ({ context, input }) => {
    const call = { ...input, address: context.address }
    return unwrap(await checkInvitation(detachedCtx(context), context.deps, call))
  }),
  acceptInvitation: os.staff.acceptInvitation.handler(async ({ context, input }) => {
    const call = { ...input, ...visitorOf(context), language: callerLocale(context) }
    return answerSignIn(context, unwrap(await acceptInvitation(detachedCtx(context), context.deps, call)))
  }),
}

const passkeys = {
  passkeyChallenge: os.staff.passkeyChallenge.handler(({ context }) =>
    createPasskeyRequest(detachedCtx(context), context.deps, context.origin),
  ),
  signInWithPasskey: os.staff.signInWithPasskey.handler(async ({ context, input }) => {
    const call = { ...input, ...visitorOf(context), origin: context.origin }
    return answerSignIn(context, unwrap(await signInWithPasskey(detachedCtx(context), context.deps, call)))
  }),
  confirmPasskey: os.staff.confirmPasskey.handler(async ({ context, input }) => {
    const call = { ...input, ...visitorOf(context), origin: context.origin }
    unwrap(await confirmPasskey(detachedCtx(context), context.deps, staffOf(context), call))
  }),
  passkeys: os.staff.passkeys.handler(async ({ context }) => ({
    items: await transact(context, (ctx) => listPasskeys(ctx, staffOf(context))),
  })),
  startPasskey: os.staff.startPasskey.handler(async ({ context, input }) => {
    const call = { ...input, language: callerLocale(context), origin: context.origin }
    return unwrap(await startPasskey(detachedCtx(context), context.deps, staffOf(context), call))
  }),
  addPasskey: os.staff.addPasskey.handler(async ({ context, input }) => {
    const call = { ...input, origin: context.origin }
    return unwrap(await addPasskey(detachedCtx(context), context.deps, staffOf(context), call))
  }),
  removePasskey: os.staff.removePasskey.handler(async ({ context, input }) => {
    const call = { ...input, language: callerLocale(context) }
    unwrap(await removePasskey(detachedCtx(context), context.deps, staffOf(context), call))
  }),
}

const views = {
  views: os.staff.views.handler(async ({ context }) => ({
    items: await transact(context, (ctx) => listViews(ctx, staffOf(context))),
  })),
  saveView: os.staff.saveView.handler(({ context, input }) =>
    transact(context, (ctx) => saveView(ctx, staffOf(context), input)),
  ),
  changeView: os.staff.changeView.handler(({ context, input }) =>
    transact(context, (ctx) => changeView(ctx, staffOf(context), input)),
  ),
  deleteView: os.staff.deleteView.handler(async ({ context, input }) => {
    await transact(context, (ctx) => removeView(ctx, staffOf(context), input.id))
  }),
}

const grantorOf = ({ operator }: Context): Grantor => {
  if (!operator) throw new ApiError('UNAUTHORIZED')
  return { by: operatorName({ operator }), permissions: operator.permissions }
}

/** Runs a use case that gives or takes rights. */
const transactAsGrantor = <Answer>(context: Context, work: (ctx: Ctx, grantor: Grantor) => Promise<Answer>) =>
  transact(context, (ctx) => work(ctx, grantorOf(context)))

export const staffProcedures = {
  ...account,
  ...passkeys,
  ...views,
  stores: os.staff.stores.handler(({ context }) => {
    const { id } = staffOf(context)
    consumeLimit(context.deps.limits.staff.stores, id)
    return listOwnStores(context.deps, { staffId: id, current: context.customer.id })
  }),
  people: os.staff.people.handler(async ({ context }) => ({ items: await transact(context, listStaff) })),
  changeRole: os.staff.changeRole.handler(async ({ context, input }) => {
    await transactAsGrantor(context, (ctx, grantor) => changeStaffRole(ctx, grantor, ifMatch(context), input))
  }),
  resetSecondFactor: os.staff.resetSecondFactor.handler(async ({ context, input }) => {
    const operator = staffOf(context)
    await transact(context, (ctx) => checkSecondFactorReset(ctx, operator, input.id))
    await consumeSharedLimit(context.deps.limits.staff.secondFactorResets, context.customer.id, operator.id)
    const isElsewhere = await belongsToOtherStore(context.deps, { staffId: input.id, current: context.customer.id })
    await transact(context, (ctx) => resetSecondFactorOfColleague(ctx, operator, { ...input, isElsewhere }))
  }),
  remove: os.staff.remove.handler(async ({ context, input }) => {
    await transactAsGrantor(context, (ctx, grantor) => removeStaff(ctx, grantor, input.id))
  }),
  invitations: os.staff.invitations.handler(async ({ context }) => ({
    items: await transact(context, listInvitations),
  })),
  invite: os.staff.invite.handler(async ({ context, input }) => {
    await consumeSharedLimit(context.deps.limits.staff.invitations, context.customer.id, operatorName(context))
    const { invitation, path } = await transactAsGrantor(context, (ctx, grantor) => inviteStaff(ctx, grantor, input))
    return { ...invitation, url: context.deps.mailer ? null : `${context.origin}${path}` }
  }),
  revokeInvitation: os.staff.revokeInvitation.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => revokeInvitation(ctx, by, input.id))
  }),
  roles: os.staff.roles.handler(async ({ context }) => ({ items: await transact(context, listRoles) })),
  createRole: os.staff.createRole.handler(({ context, input }) =>
    transactAsGrantor(context, (ctx, grantor) => createRole(ctx, grantor, input)),
  ),
  changeOwnRole: os.staff.changeOwnRole.handler(async ({ context, input }) => {
    await transactAsGrantor(context, (ctx, grantor) => changeRole(ctx, grantor, ifMatch(context), input))
  }),
  deleteRole: os.staff.deleteRole.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => deleteRole(ctx, by, input.id))
  }),
  tokens: os.staff.tokens.handler(async ({ context }) => ({ items: await transact(context, listTokens) })),
  createToken: os.staff.createToken.handler(({ context, input: { name, scopes, days } }) =>
    transactAsGrantor(
      context,
      async (ctx, grantor) =>
        refuseGrant(grantor, scopes) ??
        (await createToken(ctx, grantor.by, { name, scopes, validMilliseconds: days * dayMilliseconds })),
    ),
  ),
  revokeToken: os.staff.revokeToken.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => revokeToken(ctx, by, input))
  }),
}
