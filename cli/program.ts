import { Command } from 'commander'
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
import { subscriptionCommands } from './subscriptions.ts'
import { supportCommands } from './support.ts'
import { customerCommands } from './tenancy/customers.ts'
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

/** Creates the command line: `npm run cli -- --help`. */
export const createProgram = () => {
  const program = new Command('marquee')
    .description('Manage stores, catalogs, orders, support and background jobs')
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .showHelpAfterError('Add --help to list the commands.')
    .exitOverride()
  customerCommands(program)
  settingsCommands(program, store)
  catalogCommands(program, store)
  supportCommands(program, store)
  commentCommands(program, store)
  paymentProviderCommand(program, store)
  orderCommands(program, store)
  refundCommands(program, store)
  memberCommands(program, store)
  mailCommands(program, store)
  subscriptionCommands(program, store)
  operatorTokenCommands(program, store)
  videoCommands(program, store)
  analyticsCommands(program, store)
  storageCommands(program)
  protectionCommands(program, store)
  adminCommands(program, store)
  return program
}
