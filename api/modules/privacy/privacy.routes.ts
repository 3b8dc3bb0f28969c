import { confirmPassword } from '#api/modules/identity/passwords.ts'
import { asMember, os, transactAsMember, unwrap } from '#api/platform/http/procedures.ts'
import { exportMe, withdraw, withdrawalOutlook } from './withdrawal.ts'

export const privacyProcedures = {
  exportMe: os.identity.exportMe.handler(({ context }) => transactAsMember(context, exportMe)),
  withdrawal: os.identity.withdrawal.handler(({ context }) => transactAsMember(context, withdrawalOutlook)),
  withdraw: os.identity.withdraw.handler(async ({ context, input: { password, reason } }) => {
    const { actor } = asMember(context)
    const { passwordHash } = unwrap(await confirmPassword(context, actor, 'password', password))
    await transactAsMember(context, (ctx) => withdraw(ctx, { passwordHash, reason: reason || null }))
  }),
}
