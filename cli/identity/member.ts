import { memberIdOf } from '#api/modules/identity/profile.ts'
import type { Ctx } from '#api/platform/context.ts'
import { StartupError } from '#api/platform/log.ts'

/**
 * Returns the id of the member with an email address.
 *
 * @throws StartupError where the store has none
 */
export const memberNamed = async (ctx: Pick<Ctx, 'db' | 'customer'>, email: string) => {
  const id = await memberIdOf(ctx, email)
  if (!id) throw new StartupError(`Store ${ctx.customer.code} has no member ${email}.`)
  return id
}
