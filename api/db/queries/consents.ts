import { and, desc, eq } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import { consents } from '#api/db/schema/joining.ts'
import { newId } from '#api/db/uuid.ts'
import type { CustomerId, MemberId } from '#contract/ids.ts'

export type ConsentType = 'TERMS' | 'PRIVACY' | 'MARKETING' | 'AGE' | 'RECURRING'

export interface Consent {
  type: ConsentType
  version: string
  granted: boolean
  at: string
}

/** Writes evidence of consents given or taken back; nothing written before is changed. */
export const appendConsents = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  given: readonly Consent[],
) => {
  if (given.length === 0) return
  await db.insert(consents).values(given.map((consent) => ({ customerId, id: newId(), memberId, ...consent })))
}

/** The latest word of a member on one matter; null when there is none. */
export const latestConsent = async (db: TenantDb, customerId: CustomerId, memberId: MemberId, type: ConsentType) => {
  const [row] = await db
    .select({ granted: consents.granted, version: consents.version, at: consents.at })
    .from(consents)
    .where(and(eq(consents.customerId, customerId), eq(consents.memberId, memberId), eq(consents.type, type)))
    .orderBy(desc(consents.at), desc(consents.id))
    .limit(1)
  return row ?? null
}
