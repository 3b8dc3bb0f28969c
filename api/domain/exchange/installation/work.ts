import type { Clock } from '#api/context.ts'
import type { TenantDb } from '#api/db/client.ts'
import type { AuditActor } from '#api/domain/desk/audit.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { type Facts, Wrong } from '../cells.ts'

/** What the tables of the installation work with, in a transaction of the owner. */
export interface InstallationWork {
  db: TenantDb
  clock: Clock
  by: AuditActor
  facts: Facts
  /** The hosts of the files are all there shall be. */
  removes: boolean
  /** Codes the files name, whether their rows are right or not. */
  named: Set<string>
  /** Of stores whose rows were read, by id. */
  settings: Map<string, SiteSettings>
  /** Hosts that came to a store or left it, by its id. */
  moved: Map<string, { added: string[]; removed: string[] }>
}

/** No cell of these tables names money, times, categories or files. */
const facts: Facts = {
  ...{ currency: 'USD', timeZone: 'UTC', categoryPaths: new Map() },
  ...{ media: () => new Wrong('must name no file'), reference: (key: string) => key },
}

export const openInstallation = (
  db: TenantDb,
  { clock, by, removes }: Pick<InstallationWork, 'clock' | 'by' | 'removes'>,
): InstallationWork => ({
  ...{ db, clock, by, removes, facts },
  ...{ named: new Set(), settings: new Map(), moved: new Map() },
})

/** Ids of stores by their codes; without codes, of all. */
export const customerIdsOf = async (
  { db }: Pick<InstallationWork, 'db'>,
  codes: readonly string[] | null,
): Promise<Map<string, string>> => {
  const { rows } = await db.$client.query<{ id: string; code: string }>(
    'SELECT customer_id AS id, code FROM customers WHERE $1::text[] IS NULL OR code = ANY($1)',
    [codes],
  )
  return new Map(rows.map(({ id, code }) => [code, id]))
}
