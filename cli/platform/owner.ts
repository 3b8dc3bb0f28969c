import type { PaymentCtx } from '#api/modules/billing/payment-states.ts'
import { isStoreTaken } from '#api/modules/tenancy/store-states.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import type { Customer } from '#api/platform/context.ts'
import { bindTenant, type TenantDb } from '#api/platform/db/client.ts'
import { withOwner } from '#api/platform/db/connections.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import type { Opened } from './open.ts'

type Installation = Pick<Opened, 'database'>

/**
 * Runs `work` in one transaction of the role that owns the tables, because only it may create
 * stores and change their status. Rolls back where the answer must not be kept.
 */
export const asOwner = async <Answer>(
  { database }: Installation,
  work: (db: TenantDb) => Promise<Answer>,
  shouldCommit: (answer: Answer) => boolean = () => true,
): Promise<Answer> => {
  if (!database.ownerUrl)
    throw new OperatorError('Set DATABASE_OWNER_URL: the serving role cannot create or change stores.')
  try {
    return await withOwner(database.ownerUrl, work, shouldCommit)
  } catch (error) {
    if (isStoreTaken(error)) throw new OperatorError('This code or host was just taken by another store.')
    throw error
  }
}

/** Returns the same store with transactions of the owner's role. */
export const ownedBy = (opened: Installation, ctx: PaymentCtx): PaymentCtx => {
  const { customer, locale, actor, clock, log, requestId, events } = ctx
  return {
    ...ctx,
    inTransaction: (work) =>
      asOwner(opened, async (db) => {
        await bindTenant(db, customer.id)
        return work({ customer, locale, actor, clock, log, requestId, events, db })
      }),
  }
}

/** Returns the current store of a code. */
export const storeOf = async ({ deps }: Pick<Opened, 'deps'>, code: string): Promise<Customer> => {
  const customer = await resolveCustomer(deps, code)
  if (!customer) throw new OperatorError(`There is no store with the customer code ${code}.`)
  return customer
}
