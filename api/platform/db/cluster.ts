import pg from 'pg'
import { OperatorError } from '#api/platform/log/log.ts'
import { clusterDefinitions } from './cluster-definitions.ts'

/**
 * Tables without rows of one tenant alone that statements of tenants read: every node has a copy.
 * Tables without a tenant that are not listed stay on the coordinator.
 */
const referenceTables = ['customer_codes', 'customer_domains', 'staff']

type Connection = Pick<pg.ClientBase, 'query'>

const rowsOf = async <Row extends pg.QueryResultRow>(client: Connection, text: string, values: unknown[] = []) =>
  (await client.query<Row>(text, values)).rows

/** Whether the tables of tenants are distributed over the nodes of a cluster. */
export const isDistributed = async (client: Connection): Promise<boolean> => {
  const [known] = await rowsOf<{ known: boolean }>(
    client,
    `SELECT to_regclass('pg_dist_partition') IS NOT NULL AS known`,
  )
  if (!known?.known) return false
  const found = await rowsOf(
    client,
    `SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('public.customers')`,
  )
  return found.length > 0
}

/** Statements of the owner in a cluster that change tables of all nodes in one transaction. */
export const transactionSettings = `SET LOCAL citus.multi_shard_modify_mode = 'sequential'; SET LOCAL citus.enable_unsafe_triggers = on`

const onAllNodes = async <Answer>(client: Connection, work: () => Promise<Answer>): Promise<Answer> => {
  await client.query('BEGIN')
  try {
    await client.query(transactionSettings)
    const answer = await work()
    await client.query('COMMIT')
    return answer
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

/** The tables with rows of tenants that are not distributed yet, `customers` first. */
const tablesToDistribute = async (client: Connection): Promise<string[]> => {
  const rows = await rowsOf<{ name: string }>(
    client,
    `SELECT c.relname::text AS name FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL($1::text[])
        AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'customer_id' AND NOT a.attisdropped)
        AND NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid)
      ORDER BY c.relname <> 'customers', c.relname`,
    [referenceTables],
  )
  return rows.map(({ name }) => name)
}

const distributeTable = (client: Connection, name: string) =>
  name === 'customers'
    ? client.query(`SELECT create_distributed_table('customers', 'customer_id', colocate_with => 'none')`)
    : client.query(`SELECT create_distributed_table($1::text::regclass, 'customer_id', colocate_with => 'customers')`, [
        name,
      ])

type OnTable = (name: string, number: number, count: number) => void

/** Distributes tables with their foreign keys, which exist only between tables of one kind. */
const distributeTables = async (client: Connection, tables: readonly string[], onTable: OnTable = () => {}) => {
  const keys = await rowsOf<{ table: string; name: string; definition: string }>(
    client,
    `SELECT conrelid::regclass::text AS table, conname::text AS name, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace
        AND (conrelid::regclass::text = ANY($1) OR confrelid::regclass::text = ANY($1))`,
    [[...tables, ...referenceTables]],
  )
  const alter = (table: string, change: string) => client.query(`ALTER TABLE ${pg.escapeIdentifier(table)} ${change}`)
  const forced = await rowsOf<{ name: string }>(
    client,
    `SELECT relname::text AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relforcerowsecurity AND relname = ANY($1::text[])`,
    [tables],
  )
  // Rows are copied by the owner, who may be no superuser.
  for (const { name } of forced) await alter(name, 'NO FORCE ROW LEVEL SECURITY')
  for (const { table, name } of keys) await alter(table, `DROP CONSTRAINT ${pg.escapeIdentifier(name)}`)
  for (const name of referenceTables)
    await client.query(
      `SELECT create_reference_table(c.oid) FROM pg_class c WHERE c.oid = $1::text::regclass
          AND NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid)`,
      [name],
    )
  for (const [place, name] of tables.entries()) {
    onTable(name, place + 1, tables.length)
    await distributeTable(client, name)
  }
  // A copy on every node cannot refer to rows of one node.
  for (const { table, name, definition } of keys.filter((key) => !referenceTables.includes(key.table)))
    await alter(table, `ADD CONSTRAINT ${pg.escapeIdentifier(name)} ${definition}`)
  for (const { name } of forced) await alter(name, 'FORCE ROW LEVEL SECURITY')
}

/** Nodes evaluate functions of the schema in statements, defaults, policies and triggers. */
const distributeFunctions = (client: Connection) =>
  client.query(
    `SELECT create_distributed_function(p.oid::regprocedure) FROM pg_proc p
      WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f'
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
  )

interface ClusterNode {
  name: string
  /** Why the serving role cannot work there; null if it can. */
  problem: string | null
  /** Tables with rows of tenants that no policy protects there. */
  unprotected: string[]
}

/** Selects the tables with rows of tenants, each with whether a policy protects it. */
export const tenantTables = `SELECT c.relname::text AS name,
            c.relrowsecurity AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid) AS is_protected
       FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'customer_id' AND NOT a.attisdropped
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`

/** Gives the serving role what it needs on every node. */
const prepareRole = async (client: Connection, role: string, appRole: string) => {
  const name = pg.escapeIdentifier(role)
  await client.query(`ALTER ROLE ${name} SET citus.propagate_set_commands = 'local'`)
  if (role !== appRole)
    await client.query(`SELECT run_command_on_workers($1)`, [`GRANT ${pg.escapeIdentifier(appRole)} TO ${name}`])
}

/** Returns the workers, each with what the serving role lacks there. */
export const examineNodes = async (client: Connection, role: string): Promise<ClusterNode[]> => {
  const answers = await rowsOf<{ name: string; isAnswer: boolean; text: string }>(
    client,
    `SELECT format('%s:%s', nodename, nodeport) AS name, success AS "isAnswer", result AS text
       FROM run_command_on_workers($1) ORDER BY 1`,
    [
      `SELECT jsonb_build_object(
         'problem', CASE WHEN r.oid IS NULL THEN 'The role does not exist.'
                         WHEN r.rolsuper OR r.rolbypassrls THEN 'The role is not subject to row-level security.'
                         WHEN NOT has_table_privilege(r.oid, 'public.customers', 'SELECT') THEN 'The role has no access to the tables.' END,
         'unprotected', (SELECT coalesce(jsonb_agg(name ORDER BY name) FILTER (WHERE NOT is_protected), '[]') FROM (${tenantTables}) t))
         FROM (VALUES (1)) one LEFT JOIN pg_roles r ON r.rolname = ${pg.escapeLiteral(role)}`,
    ],
  )
  return answers.map(({ name, isAnswer, text }) => {
    if (!isAnswer) return { name, problem: text, unprotected: [] }
    const answer: Omit<ClusterNode, 'name'> = JSON.parse(text)
    return { name, ...answer }
  })
}

export interface Distribution {
  /** The tables that were distributed now. */
  tables: string[]
  shards: number
  workers: ClusterNode[]
}

/**
 * Distributes the tables of tenants over the workers of the database's cluster by `customer_id`,
 * in one transaction; nothing is left to do where that was done before. `role` serves requests.
 *
 * @throws OperatorError if the database has no cluster, or a node does not fit
 */
export const distributeTenants = async (
  client: Connection,
  { role, appRole, shards }: { role: string; appRole: string; shards: number },
  onTable?: OnTable,
): Promise<Distribution> => {
  await refuseOtherDatabases(client)
  const tables = await tablesToDistribute(client)
  if (tables.length > 0)
    await onAllNodes(client, async () => {
      await client.query(`SET LOCAL citus.shard_count = ${Math.trunc(shards)}`)
      for (const definition of clusterDefinitions) await client.query(definition)
      if (tables.includes('customers')) {
        // Unique keys contain the tenant in a cluster. The codes' own table keeps them unique.
        await client.query('DROP INDEX customers_code')
        await client.query('CREATE INDEX customers_code ON customers USING btree (code)')
      }
      await distributeTables(client, tables, onTable)
      await distributeFunctions(client)
    })
  await prepareRole(client, role, appRole)
  const workers = await examineNodes(client, role)
  const [count] = await rowsOf<{ shards: number }>(
    client,
    `SELECT count(*)::int AS shards FROM pg_dist_shard WHERE logicalrelid = 'public.customers'::regclass`,
  )
  return { tables, shards: count?.shards ?? 0, workers }
}

const refuseOtherDatabases = async (client: Connection) => {
  const [known] = await rowsOf<{ installed: boolean }>(
    client,
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS installed`,
  )
  if (!known?.installed)
    throw new OperatorError(
      'The database has no extension Citus. Install Citus 13 on every node, and run CREATE EXTENSION citus in this database on each of them. Nothing was changed.',
    )
  const [nodes] = await rowsOf<{ coordinator: boolean; workers: number }>(
    client,
    `SELECT (SELECT groupid FROM pg_dist_local_group) = 0 AS coordinator,
            (SELECT count(*)::int FROM pg_dist_node WHERE isactive AND shouldhaveshards AND noderole = 'primary') AS workers`,
  )
  if (!nodes?.coordinator)
    throw new OperatorError(
      'This database is a worker. Set DATABASE_OWNER_URL to the coordinator. Nothing was changed.',
    )
  if (nodes.workers === 0)
    throw new OperatorError(
      'The cluster has no workers. Add each on the coordinator with SELECT citus_add_node(host, port). Nothing was changed.',
    )
}

/** The table that a statement creates, with its tenant's column; undefined for other statements. */
const createdTable = (statement: string) =>
  statement.includes('"customer_id"') ? /^\s*CREATE TABLE (?:IF NOT EXISTS )?"(\w+)"/.exec(statement)?.[1] : undefined

/** Distributes the table that a statement of a migration has created, if it has rows of tenants. */
export const distributeCreatedTable = async (client: Connection, statement: string): Promise<void> => {
  const table = createdTable(statement)
  if (table && !referenceTables.includes(table)) await distributeTable(client, table)
}

/** Makes the definitions of a cluster again, within the transaction of the caller. */
export const renewDefinitions = async (client: Connection): Promise<void> => {
  for (const definition of clusterDefinitions) await client.query(definition)
  await distributeFunctions(client)
}
