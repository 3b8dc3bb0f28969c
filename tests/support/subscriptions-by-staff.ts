import { eq } from 'drizzle-orm'
import { sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { password, type Tenant, type TestMember, type TestStaff } from './tenant.ts'
import type { TestApi } from './test-api.ts'

export type Program = Pick<TestStaff, 'client' | 'withVersion'>

/** Its token outlives the weeks that pass in these tests, which a session does not. */
export const programOf = async (api: TestApi, tenant: Tenant): Promise<Program> => {
  const { token, client } = await tenant.createOperator()
  return {
    client,
    withVersion: (version) => api.client(tenant.code, { token, headers: { 'if-match': `"${version}"` } }),
  }
}

/** The member's subscription as staff see it. */
export const shown = (staff: Program, { id }: TestMember) => staff.client.admin.members.subscription({ id })

/** The member's current subscription; the test fails without one. */
export const currentOf = async (staff: Program, member: TestMember) => {
  const { current } = await shown(staff, member)
  if (!current) throw new Error('The member has no subscription.')
  return current
}

export const versionOf = async (staff: Program, member: TestMember) => (await currentOf(staff, member)).version

/** What the provider has charged and refunded, in minor units. */
export const ledgerOf = (tenant: Tenant) =>
  tenant.within(async (db) => {
    const rows = await db.select().from(sandboxPayments).where(eq(sandboxPayments.customerId, tenant.id))
    const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
    return {
      charged: sum(rows.filter(({ chargedAt }) => chargedAt !== null).map(({ amount }) => amount)),
      refunded: sum(rows.map(({ refundedAmount }) => refundedAmount)),
    }
  })

/** The member's client in a new session, because sessions expire while weeks pass. */
export const signedInAgain = async (api: TestApi, tenant: Tenant, { email }: TestMember) => {
  const { token } = await tenant.guest.identity.login({ email, password })
  return api.client(tenant.code, { token: token ?? '', idempotencyKey: crypto.randomUUID() })
}

export const usesPlan = async (api: TestApi, tenant: Tenant, member: TestMember) =>
  (await (await signedInAgain(api, tenant, member)).identity.me()).usePlan.regular
