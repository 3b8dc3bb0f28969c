import { type Command, InvalidArgumentError, Option } from 'commander'
import { createInstallation } from '#api/modules/admin/managed-stores.ts'
import { refusedValue } from '#api/modules/tenancy/check-settings.ts'
import { readHost } from '#api/modules/tenancy/domains.ts'
import { storeRefusal } from '#api/modules/tenancy/store-states.ts'
import { isFailure } from '#api/platform/context.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { type Locale, locale } from '#contract/enumerations.ts'
import { type CustomerCode, customerCode } from '#contract/ids.ts'
import { staffInvite } from '#contract/staff.ts'
import { actorOf, open } from '../platform/open.ts'
import { asOwner } from '../platform/owner.ts'

interface CreateOptions {
  host: string
  email: string
  name: string
  code: CustomerCode
  locale: Locale
  timezone: string
  by?: string
}

/** Returns a parser of an option that explains what would be right. */
const parser =
  <Value>(read: (text: string) => Value | null | undefined, wanted: string) =>
  (text: string): Value => {
    const value = read(text.trim())
    if (value === null || value === undefined) throw new InvalidArgumentError(wanted)
    return value
  }

const create = async ({ timezone: timeZone, host, code, name, email, locale, by }: CreateOptions) => {
  await using opened = await open()
  const { clock, log, events, originOfHost } = opened.deps
  const created = await asOwner(opened, async (db) => {
    const refusal = await storeRefusal(db, { code, hosts: [host] })
    if (refusal) throw new OperatorError(refusal)
    const shared = { db, clock, log, requestId: 'cli', events }
    const actor = actorOf({ customer: code, ...(by && { by }) })
    return createInstallation(shared, actor, { code, hosts: [host], name, email, locale, timeZone })
  })
  if (isFailure(created))
    throw new OperatorError(
      'The installation has a console already. To invite a person to it: npm run cli -- staff invite --help',
    )
  console.log(`Created the console of the installation. It is at ${originOfHost(host)}/admin`)
  console.log(`Invited ${email} as OWNER. The link is valid for 7 days:\n  ${originOfHost(host)}${created.path}`)
}

/** Commands for the installation itself. */
export const installationCommands = (program: Command) => {
  const group = program.command('installation').description('Manage the console of all stores')
  group
    .command('create')
    .description('Create the console of all stores, and invite its owner')
    .requiredOption(
      '--host <host>',
      'where the console is, for example admin.example.com',
      parser(readHost, 'Enter a host without scheme and port, for example admin.example.com.'),
    )
    .requiredOption(
      '--email <email>',
      'the owner',
      parser(
        (text) => staffInvite.shape.email.safeParse(text).data,
        'Enter an email address, for example mina@example.com.',
      ),
    )
    .option('--name <name>', 'what the console and its emails are called', 'Marquee')
    .option(
      '--code <code>',
      'its customer code, for commands',
      parser((text) => customerCode.safeParse(text).data, 'Use at most 40 lower case letters, digits and hyphens.'),
      customerCode.parse('installation'),
    )
    .addOption(new Option('--locale <locale>', 'the language').choices(locale.options).default('en'))
    .option(
      '--timezone <zone>',
      'the time zone, for example Asia/Seoul',
      parser(
        (text) => (refusedValue('base.timeZone', text) === null ? text : null),
        'Enter a time zone, for example Asia/Seoul.',
      ),
      'UTC',
    )
    .option('--by <name>', 'your name in the audit log (default: your user name on this machine)')
    .action(create)
}
