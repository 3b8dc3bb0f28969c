import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { OperatorError } from '#api/platform/log/log.ts'
import type { CustomerId } from '#contract/ids.ts'
import { isDistributed } from './cluster.ts'

/** A worker, by its address in the cluster. */
export interface ClusterNode {
  host: string
  port: number
}

/** Returns the address as text: `worker-2.internal:5432`. */
export const nameOfNode = ({ host, port }: ClusterNode): string => `${host}:${port}`

/** Milliseconds. */
const allowEvery = 500

/**
 * Lets the role with which Citus copies changes to another worker write them. The policies bind it
 * like everyone else, and PostgreSQL then refuses to replicate, so that a move of a store in use
 * would never end. Citus makes the role for one move, without a login, and drops it afterwards.
 */
const allowReplication = `DO $allow$
DECLARE role name;
BEGIN
  PERFORM set_config('citus.enable_ddl_propagation', 'off', true);
  FOR role IN SELECT rolname FROM pg_roles
               WHERE rolname LIKE 'citus\\_shard\\_move\\_subscription\\_role\\_%' AND NOT rolbypassrls LOOP
    EXECUTE format('ALTER ROLE %I BYPASSRLS', role);
  END LOOP;
END $allow$`

const allowUntil = async (client: Pick<pg.ClientBase, 'query'>, end: AbortSignal) => {
  while (!end.aborted) {
    // What fails now succeeds with one of the next times, or the move itself fails.
    await client.query('SELECT run_command_on_workers($1)', [allowReplication]).catch(() => {})
    await sleep(allowEvery, undefined, { signal: end }).catch(() => {})
  }
}

const findNodes = async (client: Pick<pg.ClientBase, 'query'>, id: CustomerId) => {
  const { rows: placements } = await client.query<ClusterNode & { shard: string }>(
    `SELECT shardid::text AS shard, nodename AS host, nodeport AS port FROM citus_shards
      WHERE table_name = 'public.customers'::regclass AND shardid = get_shard_id_for_distribution_column('customers', $1::uuid)`,
    [id],
  )
  const { rows: workers } = await client.query<ClusterNode>(
    `SELECT nodename AS host, nodeport AS port FROM pg_dist_node
      WHERE isactive AND shouldhaveshards AND noderole = 'primary' ORDER BY 1, 2`,
  )
  return { placement: placements[0], workers }
}

const isSuperuser = async (client: Pick<pg.ClientBase, 'query'>) => {
  const { rows } = await client.query<{ able: boolean }>(
    'SELECT rolsuper AS able FROM pg_roles WHERE rolname = current_user',
  )
  return rows[0]?.able ?? false
}

export interface StoreMove {
  customerId: CustomerId
  to: ClusterNode
  /** Whether writes of the stores wait while their rows are copied. */
  blockWrites: boolean
}

/**
 * Moves a store to another worker of a cluster, with all stores of the same part. They are served
 * meanwhile; their writes wait at the end of the move, or during all of it with `blockWrites`.
 *
 * @param client A connection of the owner for the move
 * @param observer A second one, which lets Citus copy the changes made meanwhile
 * @returns the worker from which it came; null if it was there already
 * @throws OperatorError if the database is no cluster, or has no such worker
 */
export const moveStore = async (
  client: pg.Client,
  observer: pg.Client,
  { customerId, to, blockWrites }: StoreMove,
): Promise<string | null> => {
  if (!(await isDistributed(client)))
    throw new OperatorError('The database is not distributed: npm run cli -- cluster distribute does that.')
  const { placement, workers } = await findNodes(client, customerId)
  if (!placement) throw new OperatorError('The cluster has no rows of this store.')
  if (!workers.some((worker) => nameOfNode(worker) === nameOfNode(to)))
    throw new OperatorError(
      `The cluster has no worker ${nameOfNode(to)}. It has ${workers.map(nameOfNode).join(', ')}.`,
    )
  if (nameOfNode(placement) === nameOfNode(to)) return null
  if (!blockWrites && !(await isSuperuser(client)))
    throw new OperatorError(
      'Only a superuser can move a store whose rows change meanwhile. Use one in DATABASE_OWNER_URL, or add --block-writes.',
    )
  const end = new AbortController()
  const allowing = blockWrites ? null : allowUntil(observer, end.signal)
  try {
    await client.query('SELECT citus_move_shard_placement($1::bigint, $2, $3, $4, $5, $6)', [
      ...[placement.shard, placement.host, placement.port, to.host, to.port],
      blockWrites ? 'block_writes' : 'force_logical',
    ])
  } finally {
    end.abort()
    await allowing
  }
  return nameOfNode(placement)
}
