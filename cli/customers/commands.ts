import { resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { TenantDb } from '#api/db/client.ts'
import { readHosts } from '#api/db/queries/customers.ts'
import { withTenant } from '#api/db/with-tenant.ts'
import { audit } from '#api/domain/desk/audit.ts'
import { isFailure } from '#api/domain/failure.ts'
import { createToken } from '#api/domain/operators/create-token.ts'
import { checkSettings } from '#api/domain/tenancy/check-settings.ts'
import { launchChecklist } from '#api/domain/tenancy/launch-checklist.ts'
import { openStore, readHost, refusalOf } from '#api/domain/tenancy/open-store.ts'
import { resolveCustomer } from '#api/domain/tenancy/resolve-customer.ts'
import { starterSettings } from '#api/domain/tenancy/starter-settings.ts'
import { StartupError } from '#api/startup-error.ts'
import { type Locale, locale } from '#contract/enumerations.ts'
import { readJson } from '../catalog/read-json.ts'
import { sourceFiles } from '../catalog/source-files.ts'
import { actorOf, type Opened, open } from '../open.ts'
import { asOwner, storeOf } from '../owner.ts'
import { printRows } from '../print.ts'
import { judgeSettings, keepSettings } from '../settings/keep-settings.ts'

interface Acting {
  by?: string
}

interface CreateOptions extends Acting {
  code: string
  name: string
  host: string[]
  locale: Locale
  currency: string
  timezone: string
  from?: string
}

const hosts = (text: string, before: string[] = []) => {
  const host = readHost(text)
  if (!host) throw new InvalidArgumentError('Give a host without scheme and port, for example films.example.com.')
  return [...new Set([...before, host])]
}

/** Changes a store on the owner's connection, and writes it in the store's audit. */
const change = async (
  opened: Opened,
  code: string,
  acting: Acting,
  action: string,
  work: (db: TenantDb, id: string) => Promise<Record<string, unknown>>,
) => {
  const customer = await storeOf(opened, code)
  await asOwner(opened, async (db) => {
    await db.$client.query(`SELECT set_config('marquee.customer_id', $1, true)`, [customer.id])
    const detail = await work(db, customer.id)
    const actor = actorOf({ customer: code, ...acting })
    await audit({ db, customer, clock: opened.deps.clock }, { actor, action, subject: 'store', detail })
  })
}

const printChecklist = async (opened: Opened, code: string) => {
  const { deps } = opened
  const customer = await storeOf(opened, code)
  const facts = { sendsMail: deps.mailer !== null, production: deps.storeClock === null }
  const items = await withTenant(deps.pool, customer.id, (db) => launchChecklist({ db, customer }, facts))
  if (items.length === 0) console.log('Nothing is left to do: the store may open.')
  for (const { state, what, fix } of items) console.log(`${state === 'MISSING' ? '✗' : '·'} ${what}\n    ${fix}`)
  return items.filter(({ state }) => state === 'MISSING').length
}

const addressesOf = async ({ deps }: Opened, code: string) => {
  const customer = await resolveCustomer(deps, code)
  return customer ? (await readHosts(deps.pool, customer.id)).map(deps.originOfHost) : []
}

const create = async (options: CreateOptions) => {
  const { code, host, from } = options
  await using opened = await open()
  const { deps } = opened
  const given = from === undefined ? {} : await readJson(from, from)
  const start = { name: options.name, locale: options.locale, currency: options.currency, timeZone: options.timezone }
  const starter = starterSettings(start, deps.clock.now().toISOString().slice(0, 10))
  const asked = { base: { currency: start.currency, timeZone: start.timeZone, name: start.name } }
  const { settings, problems } = checkSettings(starter, asked)
  for (const { field, value, right } of problems) console.error(`${field}: “${value}” ${right}.`)
  if (problems.length > 0) throw new StartupError('No store was made.')
  const by = actorOf({ customer: code, ...options })
  await asOwner(opened, async (db) => {
    const refusal = await refusalOf(db, { code, hosts: host })
    if (refusal) throw new StartupError(refusal)
    await openStore(db, deps.clock, { code, hosts: host, settings, by })
  })
  if (from !== undefined) {
    const judged = await judgeSettings(opened, code, given, sourceFiles(resolve(from, '..')))
    for (const { column, value, right } of judged.problems) console.error(`${from}, ${column}: “${value}” ${right}.`)
    if (judged.problems.length > 0) {
      process.exitCode = 1
      console.error(
        `The store is there, and ${from} was not taken: put it right, then settings import -c ${code} ${from}.`,
      )
    } else await keepSettings(opened, { customer: code, ...options }, judged)
  }
  console.log(`${options.name} is there: customer code ${code}.`)
  for (const address of await addressesOf(opened, code)) console.log(`  ${address}`)
  const token = await withTenant(deps.pool, (await storeOf(opened, code)).id, async (db) => {
    const customer = await storeOf(opened, code)
    const ctx = {
      db,
      customer,
      clock: deps.clock,
      log: deps.log,
      requestId: 'cli',
      actor: { kind: 'GUEST' as const, guestId: null },
    }
    return createToken(ctx, by, { name: 'first', livesMilliseconds: null })
  })
  if (!isFailure(token)) console.log(`\nThe bearer of its operators, shown this once: ${token.token}`)
  console.log('\nBefore it opens to the public:\n')
  await printChecklist(opened, code)
}

/** The stores of an installation. */
export const customerCommands = (program: Command) => {
  const customer = program.command('customer').description('Make stores, open and close them, and see what they lack')
  const acting = (command: Command) =>
    command.option('--by <name>', 'who acts, for the audit (by default your name on this machine)')

  acting(customer.command('create').description('Make a store that is ready to be filled, and say what it still lacks'))
    .requiredOption('--code <code>', 'its customer code, for example acme')
    .requiredOption('--name <name>', 'what visitors read it is called')
    .option('--host <host>', 'where it is found, without scheme and port; may be given several times', hosts, [])
    .addOption(new Option('--locale <language>', 'the language it begins in').choices(locale.options).default('en'))
    .requiredOption('--currency <currency>', 'of all its prices, by three letters, for example KRW')
    .requiredOption('--timezone <zone>', 'whose days and hours it goes by, for example Asia/Seoul')
    .option('--from <file>', 'settings that take the place of the usual ones, as JSON')
    .action(create)

  customer
    .command('list')
    .description('All stores')
    .action(async () => {
      await using opened = await open()
      const { rows } = await opened.deps.pool.query(
        `SELECT c.code, c.settings->'base'->>'name' AS name,
                CASE WHEN NOT c.use_customer THEN 'contract ended' WHEN NOT c.use_site THEN 'closed' ELSE 'open' END AS state,
                (SELECT string_agg(host, ' ' ORDER BY host) FROM customer_domains d WHERE d.customer_id = c.customer_id) AS hosts
           FROM customers c ORDER BY c.code`,
      )
      printRows(rows, 'There is no store yet: npm run cli -- customer create --help')
    })

  customer
    .command('show')
    .description('What a store is and what it has')
    .argument('<code>', 'its customer code')
    .action(async (code: string) => {
      await using opened = await open()
      const { useCustomer, useSite, settings, paymentAccounts } = await storeOf(opened, code)
      const { base } = settings
      const facts = {
        ...{ code, name: base.name, state: useCustomer ? (useSite ? 'open' : 'closed') : 'contract ended' },
        ...{ addresses: (await addressesOf(opened, code)).join(' '), language: base.locale, currency: base.currency },
        'time zone': base.timeZone,
        payments: paymentAccounts.find(({ active }) => active)?.provider ?? 'nobody chosen',
      }
      for (const [name, value] of Object.entries(facts)) console.log(`${name.padEnd(12)}${value ?? ''}`)
    })

  customer
    .command('check')
    .description('What a store still lacks; the exit code is 1 while it may not open')
    .argument('<code>', 'its customer code')
    .action(async (code: string) => {
      await using opened = await open()
      if ((await printChecklist(opened, code)) > 0) process.exitCode = 1
    })

  acting(customer.command('suspend').description('Close a store to visitors'))
    .argument('<code>', 'its customer code')
    .option('--contract', 'its contract has ended; without this it is only closed')
    .action(async (code: string, options: Acting & { contract?: true }) => {
      await using opened = await open()
      const column = options.contract ? 'use_customer' : 'use_site'
      await change(opened, code, options, 'store.closed', async (db, id) => {
        await db.$client.query(`UPDATE customers SET ${column} = false WHERE customer_id = $1`, [id])
        return { contract: options.contract === true }
      })
      console.log(`${code} is closed.`)
    })

  acting(customer.command('open').description('Open a store to visitors again'))
    .argument('<code>', 'its customer code')
    .action(async (code: string, options: Acting) => {
      await using opened = await open()
      await change(opened, code, options, 'store.opened', async (db, id) => {
        await db.$client.query('UPDATE customers SET use_customer = true, use_site = true WHERE customer_id = $1', [id])
        return {}
      })
      console.log(`${code} is open.`)
    })

  acting(customer.command('domains').description('The hosts of a store'))
    .argument('<code>', 'its customer code')
    .option('--add <host>', 'one more; may be given several times', hosts, [])
    .option('--remove <host>', 'one less; may be given several times', hosts, [])
    .action(async (code: string, options: Acting & { add: string[]; remove: string[] }) => {
      await using opened = await open()
      const { add, remove } = options
      if (add.length + remove.length > 0)
        await change(opened, code, options, 'domains.changed', async (db, id) => {
          const taken = await db.$client.query<{ host: string; code: string }>(
            `SELECT d.host, c.code FROM customer_domains d JOIN customers c ON c.customer_id = d.customer_id
              WHERE d.host = ANY($1::text[]) AND d.customer_id <> $2`,
            [add, id],
          )
          const [other] = taken.rows
          if (other) throw new StartupError(`The host ${other.host} belongs to the store ${other.code} already.`)
          await db.$client.query('DELETE FROM customer_domains WHERE customer_id = $1 AND host = ANY($2::text[])', [
            id,
            remove,
          ])
          await db.$client.query(
            'INSERT INTO customer_domains (customer_id, host) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING',
            [id, add],
          )
          return { added: add, removed: remove }
        })
      for (const address of await addressesOf(opened, code)) console.log(address)
    })
}
