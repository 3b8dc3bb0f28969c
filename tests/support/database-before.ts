import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import pg from 'pg'
import { inject } from 'vitest'
import journal from '#api/platform/db/migrations/meta/_journal.json' with { type: 'json' }

/**
 * A database in its state before a migration, owned by a role that policies apply to. `apply` runs
 * one migration.
 */
export const databaseBefore = async (tag: string) => {
  const name = `before_${randomUUID().replaceAll('-', '')}`
  const { ownerUrl } = inject('database')
  const server = new pg.Client({ connectionString: ownerUrl })
  await server.connect()
  await server.query(`CREATE ROLE ${name} NOLOGIN NOSUPERUSER NOBYPASSRLS CREATEROLE`)
  await server.query(`GRANT ${name} TO CURRENT_USER`)
  await server.query(`CREATE DATABASE ${name} OWNER ${name}`)
  const url = new URL(ownerUrl)
  url.pathname = `/${name}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  const apply = async (each: string) => {
    const path = fileURLToPath(new URL(`../../api/platform/db/migrations/${each}.sql`, import.meta.url))
    await client.query(`SET ROLE ${name}`)
    await client.query('BEGIN')
    for (const statement of readFileSync(path, 'utf8').split('--> statement-breakpoint')) await client.query(statement)
    await client.query('COMMIT')
    await client.query('RESET ROLE')
  }
  for (const { tag: each } of journal.entries.slice(
    0,
    journal.entries.findIndex((entry) => entry.tag === tag),
  ))
    await apply(each)
  return {
    client,
    apply,
    [Symbol.asyncDispose]: async () => {
      await client.end()
      await server.query(`DROP DATABASE ${name}`)
      await server.query(`DROP ROLE ${name}`)
      await server.end()
    },
  }
}

/** A store of release 0.1.0 with its schema and data, as `pg_dump` wrote it. */
export const firstRelease = (): string =>
  brotliDecompressSync(readFileSync(new URL('./releases/0.1.0.sql.br', import.meta.url))).toString()

/**
 * All objects of a schema, in lines whose order does not depend on when they were created.
 */
const describeSchema = `
  SELECT concat_ws(' ', 'column', table_name, column_name, udt_name, is_nullable, column_default) AS line
    FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT concat_ws(' ', 'index', indexdef) FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT concat_ws(' ', 'trigger', pg_get_triggerdef(oid)) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT concat_ws(' ', 'policy', tablename, policyname, cmd, qual, with_check) FROM pg_policies
  UNION ALL SELECT concat_ws(' ', 'function', pg_get_functiondef(oid)) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT concat_ws(' ', 'protection', relname, relrowsecurity, relforcerowsecurity)
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
  UNION ALL SELECT concat_ws(' ', 'grant', table_name, privilege_type)
    FROM information_schema.role_table_grants WHERE table_schema = 'public' AND grantee = 'marquee_app'
  UNION ALL SELECT concat_ws(' ', 'grant', table_name, column_name, privilege_type)
    FROM information_schema.column_privileges WHERE table_schema = 'public' AND grantee = 'marquee_app'
  UNION ALL SELECT concat_ws(' ', 'grant', routine_name, privilege_type)
    FROM information_schema.role_routine_grants WHERE routine_schema = 'public' AND grantee IN ('marquee_app', 'PUBLIC')
  ORDER BY 1`

/** The objects of a database's schema, as `describeSchema` words them. */
export const linesOf = async (connectionString: string) => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<{ line: string }>(describeSchema)
    return rows.map(({ line }) => line)
  } finally {
    await client.end()
  }
}
