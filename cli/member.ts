import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { members } from '#api/db/schema/accounts.ts'
import { lowerEmail } from '#api/domain/accounts/email.ts'
import { StartupError } from '#api/startup-error.ts'

/** The id of the member an operator names by address. */
export const memberNamed = async ({ db, customer }: Pick<Ctx, 'db' | 'customer'>, email: string) => {
  const [found] = await db
    .select({ id: members.id })
    .from(members)
    .where(and(eq(members.customerId, customer.id), eq(members.emailLower, lowerEmail(email))))
  if (!found) throw new StartupError(`Store ${customer.code} has no member ${email}.`)
  return found.id
}
