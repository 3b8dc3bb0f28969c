import { findMemberId } from '#api/modules/identity/identity.queries.ts'
import { lowerEmail } from '#api/modules/identity/profile.ts'
import type { Ctx } from '#api/platform/context.ts'
import { StartupError } from '#api/platform/log.ts'

/**
 * Returns the id of the member with an email address.
 *
 * @throws StartupError where the store has none
 */
export const memberNamed = async ({ db, customer }: Pick<Ctx, 'db' | 'customer'>, email: string) => {
  const id = await findMemberId(db, customer.id, lowerEmail(email))
  if (!id) throw new StartupError(`Store ${customer.code} has no member ${email}.`)
  return id
}
