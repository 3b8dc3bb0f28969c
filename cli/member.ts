import { and, eq } from 'drizzle-orm'
import { members } from '#api/modules/identity/identity.schema.ts'
import { lowerEmail } from '#api/modules/identity/profile.ts'
import type { Ctx } from '#api/platform/context.ts'
import { StartupError } from '#api/platform/log.ts'

/** The id of the member an operator names by address. */
export const memberNamed = async ({ db, customer }: Pick<Ctx, 'db' | 'customer'>, email: string) => {
  const [found] = await db
    .select({ id: members.id })
    .from(members)
    .where(and(eq(members.customerId, customer.id), eq(members.emailLower, lowerEmail(email))))
  if (!found) throw new StartupError(`Store ${customer.code} has no member ${email}.`)
  return found.id
}
