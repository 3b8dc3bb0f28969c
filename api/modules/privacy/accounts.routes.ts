import { answerDeviceToken, signInEnv } from '#api/modules/identity/caller.ts'
import { changePassword, checkChange, hashPassword } from '#api/modules/identity/passwords.ts'
import { changeProfile, getProfile } from '#api/modules/identity/profile.ts'
import { endOtherSessions, endSession, listSessions } from '#api/modules/identity/sessions.ts'
import { confirmPassword, signIn } from '#api/modules/identity/sign-in.ts'
import { getMe } from '#api/modules/storefront/me.ts'
import { ApiError } from '#api/platform/http/problems.ts'
import { asMember, os, transactAsMember, unwrap } from '#api/platform/http/procedures.ts'
import { limited } from '#api/platform/http/request-facts.ts'
import { callerLocale } from '#api/platform/i18n/translations.ts'
import { exportMe, withdraw, withdrawalOutlook } from './withdrawal.ts'

const mostAddresses = 50

export const accountProcedures = {
  login: os.accounts.login.handler(async ({ context, input }) => {
    const { login, deviceToken } = unwrap(await signIn(signInEnv(context), input))
    answerDeviceToken(context, deviceToken)
    return login
  }),
  logout: os.accounts.logout.handler(async ({ context }) => {
    await transactAsMember(context, (ctx) => endSession(ctx, ctx.actor.sessionId))
  }),
  me: os.accounts.me.handler(({ context }) => transactAsMember(context, getMe)),
  profile: os.accounts.profile.handler(({ context }) => transactAsMember(context, getProfile)),
  changeProfile: os.accounts.changeProfile.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => changeProfile(ctx, input, callerLocale(context))),
  ),
  changePassword: os.accounts.changePassword.handler(async ({ context, input }) => {
    const { actor } = asMember(context)
    const member = unwrap(await confirmPassword(signInEnv(context), actor, 'currentPassword', input.currentPassword))
    unwrap(checkChange(input, member.email, callerLocale(context)))
    const to = await hashPassword(input.newPassword)
    await transactAsMember(context, (ctx) => changePassword(ctx, { from: member.passwordHash, to }))
  }),
  exportMe: os.accounts.exportMe.handler(({ context }) => transactAsMember(context, exportMe)),
  withdrawal: os.accounts.withdrawal.handler(({ context }) => transactAsMember(context, withdrawalOutlook)),
  withdraw: os.accounts.withdraw.handler(async ({ context, input: { password, reason } }) => {
    const { actor } = asMember(context)
    const { passwordHash } = unwrap(await confirmPassword(signInEnv(context), actor, 'password', password))
    await transactAsMember(context, (ctx) => withdraw(ctx, { passwordHash, reason: reason || null }))
  }),
  searchAddress: os.accounts.searchAddress.handler(({ context, input }) =>
    limited(context, context.deps.limits.addresses, async () => {
      const items = await context.deps.addresses.search(input.q, mostAddresses).catch((error: unknown) => {
        context.log.warn({ err: error }, 'Addresses could not be searched')
        throw new ApiError('UNAVAILABLE')
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
