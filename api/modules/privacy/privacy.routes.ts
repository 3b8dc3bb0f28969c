import { confirmPassword, type PasswordDeps } from '#api/modules/identity/passwords.ts'
import {
  implementProcedures,
  memberDetachedCtx,
  transactAsMember,
  transactAsOperator,
  unwrap,
} from '#api/platform/http/procedures.ts'
import { callerLocale } from '#api/platform/http/request-facts.ts'
import { eraseByStore, exportByStore, exportMe, mergeMembers, withdraw, withdrawalOutlook } from './withdrawal.ts'

const os = implementProcedures<PasswordDeps>()

export const privacyProcedures = {
  exportMe: os.identity.exportMe.handler(({ context }) => transactAsMember(context, exportMe)),
  withdrawal: os.identity.withdrawal.handler(({ context }) => transactAsMember(context, withdrawalOutlook)),
  withdraw: os.identity.withdraw.handler(async ({ context, input: { password, reason } }) => {
    const entered = { password, field: 'password', language: callerLocale(context) }
    const { passwordHash } = unwrap(await confirmPassword(memberDetachedCtx(context), context.deps, entered))
    await transactAsMember(context, (ctx) => withdraw(ctx, { passwordHash, reason: reason || null }))
  }),
}

/** What operators do with personal data of members. */
export const memberDataProcedures = {
  exportData: os.admin.members.exportData.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => exportByStore(ctx, by, input)),
  ),
  erase: os.admin.members.erase.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => eraseByStore(ctx, by, input))
  }),
  merge: os.admin.members.merge.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => mergeMembers(ctx, by, input))
  }),
}
