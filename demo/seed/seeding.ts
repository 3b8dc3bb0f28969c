import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId } from '#contract/ids.ts'
import type { DemoTenant } from '../content/model/types.ts'

/**
 * The context of all seeding functions: one tenant, one transaction, one present time.
 */
export interface Seeding {
  readonly db: TenantDb
  readonly customerId: CustomerId
  readonly tenant: DemoTenant
  readonly now: Date
  /** The installation's secret: the running store decrypts what is encrypted here. */
  readonly secret: string
}

const HOUR = 3_600_000

export const hoursAgo = ({ now }: Pick<Seeding, 'now'>, hours: number): string =>
  new Date(now.getTime() - hours * HOUR).toISOString()

/** Spreads times over the day: the hour follows from `salt`. */
export const daysAgo = (seeding: Pick<Seeding, 'now'>, days: number, salt = 0): string =>
  hoursAgo(seeding, days * 24 + ((salt * 7) % 11))
