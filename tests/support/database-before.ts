import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
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
