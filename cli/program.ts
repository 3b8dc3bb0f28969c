import { type Argument, Command, Help, type Option } from 'commander'
import { adminCommands } from './admin.ts'
import { analyticsCommands } from './analytics.ts'
import { paymentProviderCommand } from './billing/payment-provider.ts'
import { refundCommands } from './billing/refunds.ts'
import { commentCommands } from './engagement.ts'
import { memberCommands } from './identity/members.ts'
import { operatorTokenCommands } from './identity/operator-tokens.ts'
import { catalogCommands } from './import-export/catalog.ts'
import { mailCommands } from './mail.ts'
import { storageCommands } from './media/storage.ts'
import { videoCommands } from './media/videos.ts'
import { orderCommands } from './orders.ts'
import { protectionCommands } from './playback.ts'
import { staffCommands } from './staff.ts'
import { subscriptionCommands } from './subscriptions.ts'
import { supportCommands } from './support.ts'
import { clusterCommands } from './tenancy/cluster.ts'
import { customerCommands } from './tenancy/customers.ts'
import { installationCommands } from './tenancy/installation.ts'
import { settingsCommands } from './tenancy/settings.ts'

/** Adds the options that every command of one store has. */
const store = (command: Command) =>
  command
    .requiredOption('-c, --customer <code>', 'the store, by its customer code')
    .option('--by <name>', 'your name in the audit log (default: your user name on this machine)')

/**
 * Former names of commands, which scripts may still use. The rule since: a plural lists, a singular
 * is followed by what it shows or by a verb.
 */
const formerNames: Record<string, string[]> = {
  'customer list': ['customers'],
  'video list': ['videos'],
  'operator-token list': ['operator-tokens'],
  'mails list': ['mails'],
  'mails resend': ['mail', 'resend'],
  'comments list': ['comments'],
  'comments approve': ['comment', 'approve'],
  'comments hide': ['comment', 'hide'],
  'comments reply': ['comment', 'reply'],
}

/** Returns the words of a command line with a former name of a command replaced. */
export const withPresentName = (words: readonly string[]): string[] => {
  const present = formerNames[words.slice(0, 2).join(' ')]
  return present ? [...present, ...words.slice(2)] : [...words]
}

type Store = typeof store
type AddCommands = (program: Command, store: Store) => void

/** The commands by area, in the order in which the help and docs/cli.md list them. */
const areas: Record<string, AddCommands[]> = {
  'Stores:': [customerCommands, settingsCommands, paymentProviderCommand],
  'Catalog:': [catalogCommands],
  'Videos and files:': [videoCommands, storageCommands, protectionCommands],
  'Orders and refunds:': [orderCommands, refundCommands],
  'Members and subscriptions:': [memberCommands, subscriptionCommands],
  'Support and emails:': [supportCommands, commentCommands, mailCommands],
  'Analytics:': [analyticsCommands],
  'Operation:': [adminCommands, installationCommands, clusterCommands, staffCommands, operatorTokenCommands],
}

/** Returns an argument as the help shows it: `<code>`, `[provider]`, `<files...>`. */
export const argumentTerm = (argument: Argument) => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}

/** Returns a command with its arguments. Leaves out `[options]`, which nearly all have. */
const subcommandTerm = (command: Command) =>
  [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' ')

/** Returns an option's description. Marks what is required, and leaves out internal defaults. */
const optionDescription = (option: Option) => {
  const { mandatory, defaultValue, defaultValueDescription } = option
  const isInternal = typeof defaultValue === 'object' && defaultValueDescription === undefined
  const shown: Option = Object.create(option, isInternal ? { defaultValue: { value: undefined } } : {})
  return `${mandatory ? 'required: ' : ''}${new Help().optionDescription(shown)}`
}

/** Creates the command line: `npm run cli -- --help`. */
export const createProgram = () => {
  const program = new Command('npm run cli --')
    .usage('<command>')
    .description('Manage stores, catalogs, orders, support and background jobs')
    .configureHelp({ showGlobalOptions: true, subcommandTerm, optionDescription })
    .showSuggestionAfterError()
    .showHelpAfterError('Add --help to list the commands.')
    .exitOverride()
  for (const [area, additions] of Object.entries(areas)) {
    program.commandsGroup(area)
    for (const add of additions) add(program, store)
  }
  return program.commandsGroup('Help:').helpCommand('help [command]', 'Show the help of a command')
}
