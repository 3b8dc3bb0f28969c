import { createHmac, randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { asError, OperatorError } from '#api/platform/log/log.ts'
import { applyMigrations, readLastMigration } from './apply-migrations.ts'
import { createClient } from './client.ts'
import { distributeTenants, examineNodes, isDistributed } from './cluster.ts'
import { prepareJobQueues } from './job-queues.ts'
import journal from './migrations/meta/_journal.json' with { type: 'json' }

const appRole = 'marquee_app'
/** An arbitrary constant. The lock prevents two starting processes from migrating at once. */
const migrationLock = 7_279_114

/** Migrations are known by the time at which they were made. */
const lastMigration = Math.max(...journal.entries.map(({ when }) => when))

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

export interface DatabaseUrls {
  /** The role that serves requests, or an owner where no other URL is given. */
  url?: string | undefined
  /** The role that owns the tables. */
  ownerUrl?: string | undefined
  /** A direct connection to the database of `url`, where that goes through a pooler. */
  jobsUrl?: string | undefined
}

/**
 * Migrates the schema where the URL of an owner is known. Returns the URL to serve requests with:
 * that of a role that owns nothing and is bound by the policies. With an owner's URL alone, creates
 * such a role. Its password is derived from the owner's, so that every process of the installation
 * computes the same.
 *
 * @throws OperatorError that says what to do, if the database cannot be used
 */
export const prepareDatabase = async ({ url, ownerUrl, jobsUrl }: DatabaseUrls): Promise<string> => {
  const owner = ownerUrl ?? (url && (await canMigrate(url)) ? url : undefined)
  if (!owner) {
    if (!url)
      throw new OperatorError('DATABASE_URL is missing, for example postgres://marquee_app:secret@localhost/marquee.')
    await refusePrivilegedRole(url)
    await refuseOtherRoutes(url, jobsUrl)
    return url
  }
  const separate = url !== undefined && url !== owner
  await migrate(owner, separate ? roleOf(url) : appRole)
  const appUrl = separate ? url : await loginOfAppRole(owner)
  await refusePrivilegedRole(appUrl)
  await refuseOtherRoutes(appUrl, jobsUrl)
  return appUrl
}

/**
 * Distributes the tables of tenants over the workers of a cluster. Does nothing again what was done
 * before, but checks the nodes.
 *
 * @param onTable Called before each table, with its number and their count
 * @returns what was done now, and what is missing on each worker
 * @throws OperatorError if the database has no cluster
 */
export const distribute = (
  { url, ownerUrl }: { url: string; ownerUrl: string },
  shards: number,
  onTable?: (name: string, number: number, count: number) => void,
) =>
  onClient(ownerUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock])
    return distributeTenants(client, { role: roleOf(url), appRole, shards }, onTable)
  })

/**
 * What the serving role lacks on each worker of a cluster; null if the tables of tenants are not
 * distributed.
 */
export const examineCluster = ({ url, ownerUrl }: { url: string; ownerUrl: string }) =>
  onClient(ownerUrl, async (client) => ((await isDistributed(client)) ? examineNodes(client, roleOf(url)) : null))

/** How the schema of a database relates to the one that this version uses. */
export type SchemaState = 'CURRENT' | 'OLDER' | 'NEWER'

/** What to do about a schema of another version. */
export const schemaRefusals = {
  OLDER: 'The schema is older than this version. Start a process with DATABASE_OWNER_URL first.',
  NEWER:
    'The schema was changed by a newer version of Marquee. Start that version, or restore a backup from before the upgrade.',
} as const satisfies Record<Exclude<SchemaState, 'CURRENT'>, string>

/** Compares the migrations of a database with those that this version has. */
export const readSchemaState = async (client: pg.Client): Promise<SchemaState> => {
  const { rows: tables } = await client.query<{ readable: boolean }>(
    `SELECT has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') AS readable
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'drizzle' AND c.relname = '__drizzle_migrations'`,
  )
  // The owner makes it readable for the serving role once the schema is of this version.
  if (!tables[0]?.readable) return 'OLDER'
  const last = await readLastMigration(client)
  if (last === lastMigration) return 'CURRENT'
  return last > lastMigration ? 'NEWER' : 'OLDER'
}

const roleOf = (url: string) => decodeURIComponent(new URL(url).username)

const connect = async (url: string) => {
  const client = createClient({ connectionString: url, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
  } catch (error) {
    const { host, pathname } = new URL(url)
    throw new OperatorError(`Cannot connect to the database at ${host}${pathname}: ${asError(error).message}.`)
  }
  return client
}

/**
 * Runs `work` on a connection of its own.
 *
 * @throws OperatorError if the database cannot be reached
 */
export const onClient = async <Answer>(url: string, work: (client: pg.Client) => Promise<Answer>) => {
  const client = await connect(url)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const canMigrate = (url: string) =>
  onClient(url, async (client) => {
    const { rows } = await client.query<{ able: boolean }>(
      `SELECT rolsuper OR (rolcreaterole AND has_database_privilege(current_database(), 'CREATE')) AS able
         FROM pg_roles WHERE rolname = current_user`,
    )
    return rows[0]?.able ?? false
  })

const migrate = (ownerUrl: string, role: string) =>
  onClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ version: number }>(
      `SELECT current_setting('server_version_num')::int AS version`,
    )
    if ((rows[0]?.version ?? 0) < 150_000)
      throw new OperatorError('Marquee needs PostgreSQL 15 or newer; the database of DATABASE_URL is older.')
    if ((await readRoute(client)).isPooled)
      throw new OperatorError(
        'DATABASE_OWNER_URL goes through a pooler, which cannot migrate the schema. Set it to the address of PostgreSQL itself.',
      )
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock])
    try {
      const state = await readSchemaState(client)
      if (state === 'NEWER') throw new OperatorError(schemaRefusals.NEWER)
      if (state === 'OLDER') await applyMigrations(client, migrationsFolder)
      // The rest stays on the coordinator, so a process starts while a worker is away.
      if (await isDistributed(client)) await client.query('SET citus.enable_ddl_propagation = off')
      await prepareJobQueues(client, appRole)
      await client.query(`GRANT USAGE ON SCHEMA drizzle TO ${appRole}`)
      await client.query(`GRANT SELECT ON drizzle.__drizzle_migrations TO ${appRole}`)
      if (role !== appRole) await client.query(`GRANT ${appRole} TO ${pg.escapeIdentifier(role)}`)
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [migrationLock])
    }
  })

const loginOfAppRole = async (ownerUrl: string) => {
  const password = createHmac('sha256', decodeURIComponent(new URL(ownerUrl).password))
    .update(appRole)
    .digest('base64url')
  await onClient(ownerUrl, async (client) => {
    // Two processes may start at once. The lock serializes their ALTER statements.
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock])
    if (await isDistributed(client)) await client.query('SET citus.enable_ddl_propagation = off')
    await client.query(`ALTER ROLE ${appRole} LOGIN PASSWORD ${pg.escapeLiteral(password)}`)
    await client.query('SELECT pg_advisory_unlock($1)', [migrationLock])
  })
  const url = new URL(ownerUrl)
  url.username = appRole
  url.password = password
  return url.href
}

/**
 * Reads whether a pooler stands between this process and PostgreSQL: it makes up the process id of
 * the connection, and one that knows prepared statements gives them names of its own.
 */
const readRoute = async (client: pg.Client & { processID?: number | null }) => {
  // A pooler that does not know them leaves the statement of an earlier check in the connection.
  const name = `marquee-route-${randomUUID()}`
  const { rows } = await client.query<{ pid: number; named: boolean; server: string }>({
    name,
    text: `SELECT pg_backend_pid() AS pid, EXISTS (SELECT FROM pg_prepared_statements WHERE name = '${name}') AS named,
                  concat_ws(' ', pg_postmaster_start_time(), current_database()) AS server`,
  })
  const { pid, named, server } = rows[0] ?? { pid: 0, named: true, server: '' }
  const isPooled = pid !== client.processID
  return { isPooled, preparesStatements: !isPooled || !named, server }
}

/**
 * Refuses a pooler that cannot be used, and one without the direct connection that waits for
 * notifications and holds locks.
 */
const refuseOtherRoutes = async (url: string, jobsUrl: string | undefined) => {
  const serving = await onClient(url, readRoute)
  if (!serving.preparesStatements)
    throw new OperatorError(
      'DATABASE_URL goes through a pooler that does not know prepared statements. Use PgBouncer 1.21 or newer with pool_mode = transaction and max_prepared_statements = 200, or set DATABASE_URL to the address of PostgreSQL itself.',
    )
  if (serving.isPooled && !jobsUrl)
    throw new OperatorError(
      'DATABASE_URL goes through a pooler. Set JOBS_DATABASE_URL to the address of PostgreSQL itself, with the same role and database: background jobs and locks need a direct connection.',
    )
  if (!jobsUrl) return
  const direct = await onClient(jobsUrl, readRoute)
  if (direct.isPooled)
    throw new OperatorError('JOBS_DATABASE_URL goes through a pooler. Set it to the address of PostgreSQL itself.')
  if (direct.server !== serving.server)
    throw new OperatorError('JOBS_DATABASE_URL is another database than DATABASE_URL. Set it to the same one.')
}

/**
 * Refuses to start with a role that may bypass row-level security, because the policies would have
 * no effect, and with a schema of another version.
 */
const refusePrivilegedRole = (url: string) =>
  onClient(url, async (client) => {
    const { rows } = await client.query<{
      super: boolean
      bypass: boolean
      owner: boolean
      ready: boolean
      allowed: boolean
    }>(
      `SELECT rolsuper AS super, rolbypassrls AS bypass,
              EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                       WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND pg_has_role(current_user, c.relowner, 'MEMBER')) AS owner,
              to_regclass('public.customers') IS NOT NULL AS ready,
              coalesce(has_table_privilege(to_regclass('public.customers'), 'SELECT'), false) AS allowed
         FROM pg_roles WHERE rolname = current_user`,
    )
    const role = rows[0]
    const why = role?.super
      ? 'a superuser'
      : role?.bypass
        ? 'not subject to row-level security'
        : role?.owner
          ? 'the owner of the tables'
          : null
    if (why)
      throw new OperatorError(
        `The role of DATABASE_URL is ${why}, so the database would not isolate tenants. Use a role that owns no tables, and set DATABASE_OWNER_URL to the connection of the owner.`,
      )
    if (!role?.ready)
      throw new OperatorError(
        'The database of DATABASE_URL has no tables yet. Set DATABASE_OWNER_URL to the connection of its owner, who creates them.',
      )
    if (!role.allowed)
      throw new OperatorError(
        `The role of DATABASE_URL has no access to the tables. Run GRANT marquee_app TO ${roleOf(url)} as the owner, or set DATABASE_OWNER_URL to the connection of the owner.`,
      )
    const schema = await readSchemaState(client)
    if (schema !== 'CURRENT') throw new OperatorError(schemaRefusals[schema])
  })
