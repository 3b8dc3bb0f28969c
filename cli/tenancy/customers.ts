import { type Command, InvalidArgumentError, Option } from 'commander'
import { readHost } from '#api/modules/tenancy/domains.ts'
import {
  changeHosts,
  closeToVisitors,
  listStores,
  openToVisitors,
  suspendStore,
} from '#api/modules/tenancy/store-states.ts'
import type { AuditActor } from '#api/platform/audit.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import type { Ctx } from '#api/platform/context.ts'
import { bindTenant } from '#api/platform/db/client.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { locale } from '#contract/enumerations.ts'
import { type StoreState, storeStateOf } from '#contract/store-state.ts'
import { separatorOption } from '../import-export/catalog.ts'
import { exportStores, importStores, installationTableNames } from '../import-export/stores.ts'
import { readDuration } from '../platform/arguments.ts'
import { actorOf, done, type Opened, open } from '../platform/open.ts'
import { asOwner, storeOf } from '../platform/owner.ts'
import { printRows } from '../platform/print.ts'
import { addressesOf, checklistOf, create, describeItem, previewLinkOf, printChecklist } from './create-customer.ts'

interface ActorOptions {
  by?: string
}

const hosts = (text: string, before: string[] = []) => {
  const host = readHost(text)
  if (!host) throw new InvalidArgumentError('Enter a host without scheme and port, for example films.example.com.')
  return [...new Set([...before, host])]
}

const newDatabase = ['--new-database', 'create the embedded database if there is none'] as const

/** Runs a use case that changes a store, on the owner's connection. */
const change = async <Answer>(
  opened: Opened,
  code: string,
  options: ActorOptions,
  work: (ctx: Pick<Ctx, 'db' | 'customer' | 'clock'>, by: AuditActor) => Promise<Answer>,
) => {
  const customer = await storeOf(opened, code)
  const answer = await asOwner(opened, async (db) => {
    await bindTenant(db, customer.id)
    return work({ db, customer, clock: opened.deps.clock }, actorOf({ customer: code, ...options }))
  })
  return done(answer)
}

const stateNames: Record<StoreState, string> = {
  COMING_SOON: 'coming soon',
  OPEN: 'open',
  CLOSED: 'suspended',
  ENDED: 'contract ended',
}

/** What happens to payments of a store without a payment provider. */
const withoutProvider = ({ environment }: Opened) =>
  environment === 'production' ? 'none' : 'test payments, no money is transferred'

const showStore = async (code: string) => {
  await using opened = await open()
  const store = await storeOf(opened, code)
  const { base } = store.settings
  const facts = {
    code,
    name: base.name,
    state: stateNames[storeStateOf(store)],
    addresses: (await addressesOf(opened, code)).join(' '),
    language: base.locale,
    currency: base.currency,
    'time zone': base.timeZone,
    payments: store.paymentAccounts.find(({ active }) => active)?.provider ?? withoutProvider(opened),
  }
  for (const [name, value] of Object.entries(facts)) console.log(`${name.padEnd(12)}${value ?? ''}`)
}

/** Opens a store; the first time only if nothing is missing. */
const openStore = async (code: string, options: ActorOptions & { force?: true }) => {
  await using opened = await open()
  const store = await storeOf(opened, code)
  if (storeStateOf(store) === 'OPEN') {
    console.log(`${code} is already open.`)
    return
  }
  const isFirst = !store.opened
  const items = isFirst ? await checklistOf(opened, code, { closed: false }) : []
  const missing = items.filter(({ state }) => state === 'MISSING')
  for (const item of missing) console.error(describeItem(item))
  if (missing.length > 0 && !options.force)
    throw new OperatorError(
      `${code} is still closed: ${missing.length === 1 ? 'one thing is' : `${missing.length} things are`} missing. Use --force to open it anyway.`,
    )
  const lacking = missing.map(({ what }) => what)
  await change(opened, code, options, (ctx, by) => openToVisitors(ctx, by, lacking))
  console.log(`${code} is open.`)
}

const printPreviewLink = async (code: string, { validFor }: { validFor: number }) => {
  await using opened = await open()
  const { link, expires } = await previewLinkOf(opened, code, validFor)
  if (!link)
    throw new OperatorError(
      `${code} has no host. Add one: npm run cli -- customer domains ${code} --add films.example.com`,
    )
  console.log(link)
  console.log(`It is valid until ${expires}. Anyone with the link can see the store.`)
}

/** Commands for the stores of an installation. */
export const customerCommands = (program: Command) => {
  const customer = program.command('customer').description('Create, open, close and check stores')
  const withActorOptions = (command: Command) =>
    command.option('--by <name>', 'your name in the audit log (default: your user name on this machine)')

  withActorOptions(customer.command('create').description('Create a store and show what is still missing'))
    .option('--code <code>', 'required: customer code, for example acme')
    .option('--name <name>', 'required: store name shown to visitors')
    .option('--host <host>', 'host name without scheme and port; can be repeated', hosts, [])
    .addOption(new Option('--locale <language>', 'default language').choices(locale.options).default('en'))
    .option('--currency <currency>', 'required: currency of all prices, for example KRW')
    .option('--timezone <zone>', 'required: time zone, for example Asia/Seoul')
    .option('--from <path>', 'a folder of tables or a JSON file with settings and initial content')
    .option('--keep-sources', 'keep source films')
    .option('--dry-run', 'show errors without creating the store')
    .option(...newDatabase)
    .action(create)

  program
    .command('customers')
    .description('List all stores')
    .action(async () => {
      await using opened = await open()
      printRows(await listStores(opened.deps.pool), 'No stores yet. Create one: npm run cli -- customer create --help')
    })

  customer
    .command('export')
    .description('Export all stores and their hosts to files')
    .argument('<path>', 'a folder, or a file that ends in .json')
    .addOption(separatorOption())
    .action(exportStores)

  withActorOptions(customer.command('import').description('Create and update stores and their hosts, all or nothing'))
    .argument('<path>', `a folder of ${installationTableNames.join('.csv and ')}.csv, one of them, or a JSON file`)
    .option(
      '--table <name>',
      `the table of a CSV file that is not named after it: ${installationTableNames.join(', ')}`,
    )
    .option('--dry-run', 'show errors and changes without applying them')
    .option('--remove', 'remove hosts that are not in the table; stores are closed only by their state')
    .option(...newDatabase)
    .action(importStores)

  customer.command('show').description('Show a store’s details').argument('<code>', 'customer code').action(showStore)

  customer
    .command('check')
    .description('Check if a store can open; exit with 1 if it cannot')
    .argument('<code>', 'customer code')
    .action(async (code: string) => {
      await using opened = await open()
      if ((await printChecklist(opened, code)) > 0) process.exitCode = 1
    })

  withActorOptions(customer.command('suspend').description('Take a store offline temporarily, or end its contract'))
    .argument('<code>', 'customer code')
    .option('--contract', 'mark the contract as ended instead of temporarily closed')
    .action(async (code: string, options: ActorOptions & { contract?: true }) => {
      await using opened = await open()
      await change(opened, code, options, (ctx, by) => suspendStore(ctx, by, options.contract === true))
      console.log(
        `${code} is offline. Visitors see that it ${options.contract ? 'is not available' : 'will be back soon'}.`,
      )
    })

  withActorOptions(customer.command('open').description('Open a store; the first time only if nothing is missing'))
    .argument('<code>', 'customer code')
    .option('--force', 'open it even if something is missing')
    .action(openStore)

  withActorOptions(customer.command('close').description('Close a store to visitors, who see that it is closed'))
    .argument('<code>', 'customer code')
    .action(async (code: string, options: ActorOptions) => {
      await using opened = await open()
      await change(opened, code, options, closeToVisitors)
      console.log(`${code} is closed. Visitors see that it is temporarily closed.`)
    })

  customer
    .command('preview-link')
    .description('Print a link to a store that is not open yet')
    .argument('<code>', 'customer code')
    .addOption(
      new Option('--valid-for <time>', 'how long it is valid, for example 12h or 30d')
        .argParser(readDuration)
        .default(7 * dayMilliseconds, '7d'),
    )
    .action(printPreviewLink)

  withActorOptions(customer.command('domains').description('Show or change a store’s hosts'))
    .argument('<code>', 'customer code')
    .option('--add <host>', 'add a host; can be repeated', hosts, [])
    .option('--remove <host>', 'remove a host; can be repeated', hosts, [])
    .action(async (code: string, options: ActorOptions & { add: string[]; remove: string[] }) => {
      await using opened = await open()
      const { add, remove } = options
      if (add.length + remove.length > 0)
        await change(opened, code, options, (ctx, by) => changeHosts(ctx, by, { added: add, removed: remove }))
      for (const address of await addressesOf(opened, code)) console.log(address)
    })
}
