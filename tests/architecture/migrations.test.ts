import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import journal from '#api/platform/db/migrations/meta/_journal.json' with { type: 'json' }

const read = (tag: string) =>
  readFileSync(new URL(`../../api/platform/db/migrations/${tag}.sql`, import.meta.url), 'utf8')
const isReleased = (version: string) => existsSync(new URL(`../support/releases/${version}.sql.br`, import.meta.url))

/** The last migration that was made before this rule. */
const lastFree = '0021_opened-by-operators'

/**
 * Marks a migration that takes something away, with the release from which on nothing uses it. That
 * release serves while the migration runs.
 */
const contractMark = /^-- Unused since (\d+\.\d+\.\d+)\b/

/** Statements that a release which does not know them may not survive, and why. */
const rules: { pattern: RegExp; why: string }[] = [
  { pattern: /^DROP (?!INDEX)/, why: 'takes something away' },
  { pattern: /^ALTER TABLE .* DROP (?:COLUMN|CONSTRAINT)/, why: 'takes something away' },
  { pattern: /^ALTER .* RENAME /, why: 'renames something' },
  { pattern: /^ALTER TABLE .* ALTER COLUMN \S+ (?:SET DATA )?TYPE /, why: 'changes a type' },
  { pattern: /^ALTER TABLE .* ALTER COLUMN \S+ (?:SET NOT NULL|DROP DEFAULT)/, why: 'requires a value' },
  { pattern: /^ALTER TABLE .* ADD COLUMN (?!.*\bDEFAULT\b).*\bNOT NULL\b/, why: 'requires a value' },
  { pattern: /^ALTER TABLE .* ADD CONSTRAINT /, why: 'refuses rows that were allowed' },
  { pattern: /^CREATE UNIQUE INDEX /, why: 'refuses rows that were allowed' },
  { pattern: /^(?:REVOKE|TRUNCATE|DELETE) /, why: 'takes something away' },
]

const named = (statement: string, pattern: RegExp) => pattern.exec(statement)?.[1]

/** The values of a check constraint. */
const valuesOf = (statement: string) => Array.from(statement.matchAll(/'([^']*)'/g), ([, value = '']) => value)

/**
 * Returns the statements of a migration that the release before could not serve with. `earlier` are
 * the statements of the migrations before.
 */
const refusedIn = (sql: string, earlier: readonly string[] = []): string[] => {
  const released = contractMark.exec(sql)?.[1]
  if (released && isReleased(released)) return []
  const statements = statementsOf(sql)
  const created = new Set(
    statements
      .map((statement) => named(statement, /^CREATE (?:TABLE|FUNCTION) (?:IF NOT EXISTS )?"?(\w+)/))
      .filter(Boolean),
  )
  const added = new Set(statements.map((statement) => named(statement, /ADD COLUMN "?(\w+)/)).filter(Boolean))
  const isOfNewObject = (statement: string) =>
    created.has(
      named(
        statement,
        /^(?:ALTER TABLE|CREATE UNIQUE INDEX .*? ON|REVOKE ALL ON FUNCTION) (?:ONLY )?"?(?:public"\.")?(\w+)/,
      ),
    )
  /** Whether a check is replaced by one that allows more. */
  const isWidened = (statement: string) => {
    const name = named(statement, /(?:ADD|DROP) CONSTRAINT "?(\w+)/)
    if (!name) return false
    const defining = (one: string) => one.includes(`CONSTRAINT "${name}" CHECK`)
    const [next, last] = [statements.findLast(defining), earlier.findLast(defining)]
    if (!next || !last) return false
    const known = last.slice(last.indexOf(`CONSTRAINT "${name}" CHECK`)).split('\n', 1)[0] ?? ''
    const values = valuesOf(next)
    return valuesOf(known).every((value) => values.includes(value))
  }
  const fillsNewColumns = (statement: string) => {
    const set = named(statement, /^UPDATE \S+(?: \w+)? SET "?(\w+)/)
    return set !== undefined && added.has(set)
  }
  return statements.flatMap((statement) => {
    if (isOfNewObject(statement)) return []
    if (/^UPDATE /.test(statement) && !fillsNewColumns(statement)) return [`changes rows: ${statement}`]
    const rule = rules.find(({ pattern }) => pattern.test(statement))
    return rule && !isWidened(statement) ? [`${rule.why}: ${statement}`] : []
  })
}

/** The statements without comments, each on one line. Bodies of functions stay whole. */
const statementsOf = (sql: string): string[] =>
  sql
    .replaceAll(/^\s*--(?!>).*$/gm, '')
    .split(/--> statement-breakpoint|;[ \t]*$/m)
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean)

test('migrations that the release before cannot serve with are found', () => {
  const refused = (sql: string, earlier: string[] = []) => refusedIn(sql, earlier).map((line) => line.split(':', 1)[0])
  expect(refused('DROP TABLE "orders";')).toEqual(['takes something away'])
  expect(refused('REVOKE ALL ON FUNCTION of_orders() FROM PUBLIC;')).toEqual(['takes something away'])
  expect(refused('ALTER TABLE "orders" DROP COLUMN "note";')).toEqual(['takes something away'])
  expect(refused('ALTER TABLE "payments" RENAME COLUMN "ask_at" TO "next_check_at";')).toEqual(['renames something'])
  expect(refused('ALTER TABLE "orders" ALTER COLUMN "note" SET NOT NULL;')).toEqual(['requires a value'])
  expect(refused('ALTER TABLE "orders" ADD COLUMN "note" text NOT NULL;')).toEqual(['requires a value'])
  expect(refused('ALTER TABLE "orders" ALTER COLUMN "total" SET DATA TYPE text;')).toEqual(['changes a type'])
  expect(refused('CREATE UNIQUE INDEX "orders_note" ON "orders" USING btree ("note");')).toEqual([
    'refuses rows that were allowed',
  ])
  expect(refused(`UPDATE "orders" SET "status" = 'PAID' WHERE "status" = 'PAYED';`)).toEqual(['changes rows'])

  const narrow = `CREATE TABLE "mails" (\n CONSTRAINT "mails_status" CHECK ("mails"."status" in ('QUEUED', 'SENT'))\n)`
  const replaced = (values: string) =>
    `ALTER TABLE "mails" DROP CONSTRAINT "mails_status";--> statement-breakpoint
     ALTER TABLE "mails" ADD CONSTRAINT "mails_status" CHECK ("mails"."status" in (${values}));`
  expect(refused(replaced(`'QUEUED', 'SENT', 'FAILED'`), statementsOf(narrow))).toEqual([])
  expect(refused(replaced(`'WAITING', 'SENT'`), statementsOf(narrow))).toEqual([
    'takes something away',
    'refuses rows that were allowed',
  ])
  for (const allowed of [
    'ALTER TABLE "orders" ADD COLUMN "note" text;',
    `ALTER TABLE "orders" ADD COLUMN "notes" jsonb DEFAULT '{}'::jsonb NOT NULL;`,
    'CREATE INDEX "orders_note" ON "orders" USING btree ("note");',
    'DROP INDEX "orders_note";',
    'CREATE FUNCTION of_notes() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;\nREVOKE ALL ON FUNCTION of_notes() FROM PUBLIC;',
    'CREATE TABLE "notes" ("id" uuid NOT NULL);--> statement-breakpoint ALTER TABLE "notes" ADD CONSTRAINT "a" CHECK (true);',
    `ALTER TABLE "orders" ADD COLUMN "note" text;--> statement-breakpoint UPDATE orders SET note = title;`,
    '-- Unused since 0.1.0: the column was replaced by notes.\nALTER TABLE "orders" DROP COLUMN "note";',
  ])
    expect([allowed, refused(allowed)]).toEqual([allowed, []])
  expect(refused('-- Unused since 9.9.9\nALTER TABLE "orders" DROP COLUMN "note";')).toEqual(['takes something away'])
})

test('the release before serves while each migration runs: it only adds, or takes away what is unused', () => {
  const from = journal.entries.findIndex(({ tag }) => tag === lastFree) + 1
  expect(from).toBeGreaterThan(1)
  const earlier: string[] = []
  for (const [at, { tag }] of journal.entries.entries()) {
    const sql = read(tag)
    if (at >= from) expect([tag, refusedIn(sql, earlier)]).toEqual([tag, []])
    earlier.push(...statementsOf(sql))
  }
})

/** The last migration that was made before the rule below. */
const lastJoint = '0051_code-ends'

/** The tables of earlier migrations whose readers wait for a migration. */
const lockedIn = (sql: string): string[] => {
  const statements = statementsOf(sql)
  const created = statements.map((statement) => named(statement, /^CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/))
  const locked = statements.map((statement) =>
    named(statement, /^(?:ALTER TABLE (?:ONLY )?|(?:CREATE|DROP|ALTER) POLICY \S+ ON |LOCK TABLE )"?(\w+)/),
  )
  return [...new Set(locked)].filter((table) => table !== undefined && !created.includes(table)) as string[]
}

test('a migration locks at most one table against readers, so that busy stores do not hold it up', () => {
  expect(
    lockedIn(
      'ALTER TABLE "orders" ADD COLUMN "a" text;--> statement-breakpoint CREATE POLICY a ON "members" USING (true);',
    ),
  ).toEqual(['orders', 'members'])
  expect(
    lockedIn(
      'CREATE TABLE "notes" ("id" uuid);--> statement-breakpoint ALTER TABLE "notes" ENABLE ROW LEVEL SECURITY;',
    ),
  ).toEqual([])
  const later = journal.entries.slice(journal.entries.findIndex(({ tag }) => tag === lastJoint) + 1)
  for (const { tag } of later) expect([tag, lockedIn(read(tag)).slice(1)]).toEqual([tag, []])
})
