import { createHash } from 'node:crypto'
import type { TenantDb } from '#api/db/client.ts'
import type { CustomerId, MemberId } from '#contract/ids.ts'

/** Networks that are remembered of one member: home, work, the phone's, and some of travels. */
const mostNetworks = 20

/** No network can be read back: the member's id, which nobody knows, is part of the hash. */
const hashOf = (memberId: string, network: string) =>
  createHash('sha256').update(`${memberId}\n${network}`).digest('base64url')

/** Whether a member has signed in from a network before. For no member it is asked all the same, and takes as long. */
export const knowsNetwork = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId | null,
  network: string,
): Promise<boolean> => {
  const id = memberId ?? '00000000-0000-7000-8000-000000000000'
  const { rowCount } = await db.$client.query(
    'SELECT FROM known_networks WHERE customer_id = $1 AND member_id = $2 AND network_hash = $3',
    [customerId, id, hashOf(id, network)],
  )
  return rowCount === 1
}

/** Remembers a network of a member, and forgets those least lately used beyond the most that are kept. */
export const rememberNetwork = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  network: string,
  now: Date,
) => {
  await db.$client.query(
    `INSERT INTO known_networks (customer_id, member_id, network_hash, last_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (customer_id, member_id, network_hash) DO UPDATE SET last_at = excluded.last_at`,
    [customerId, memberId, hashOf(memberId, network), now.toISOString()],
  )
  await db.$client.query(
    `DELETE FROM known_networks WHERE customer_id = $1 AND member_id = $2 AND network_hash IN (
       SELECT network_hash FROM known_networks WHERE customer_id = $1 AND member_id = $2 ORDER BY last_at DESC OFFSET $3)`,
    [customerId, memberId, mostNetworks],
  )
}
