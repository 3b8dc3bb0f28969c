import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId } from '#contract/ids.ts'
import type { DemoTenant } from '../content/types.ts'

/** What every part of the seeding works with: one tenant, one transaction, one moment that counts as now. */
export interface Seeding {
  readonly db: TenantDb
  readonly customerId: CustomerId
  readonly tenant: DemoTenant
  readonly now: Date
  /** Of the installation: what is sealed here is opened by the running store. */
  readonly secret: string
}

const HOUR = 3_600_000

export const hoursAgo = ({ now }: Pick<Seeding, 'now'>, hours: number): string =>
  new Date(now.getTime() - hours * HOUR).toISOString()

/** Not all at the same hour: the remainder of the day follows from `salt`. */
export const daysAgo = (seeding: Pick<Seeding, 'now'>, days: number, salt = 0): string =>
  hoursAgo(seeding, days * 24 + ((salt * 7) % 11))
