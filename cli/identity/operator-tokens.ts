import { type Command, InvalidArgumentError, Option } from 'commander'
import { createToken, listTokens, revokeToken } from '#api/modules/identity/operator-tokens.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { isFailure } from '#api/platform/context.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { customerBase } from '#contract/http.ts'
import { type Permission, permission } from '#contract/permissions.ts'
import { readDuration } from '../platform/arguments.ts'
import { actorOf, type StoreOptions, transact, transactWithZone } from '../platform/open.ts'
import { formatTime, printRows, timeOf } from '../platform/print.ts'

/** Parses `90d` or `never`. Returns milliseconds, or null for no expiry. */
const readLife = (text: string): number | null => {
  if (text === 'never') return null
  try {
    return readDuration(text)
  } catch {
    throw new InvalidArgumentError('Enter minutes, hours, days or never, for example 12h, 90d or never.')
  }
}

/** Commands for the operator tokens that programs use with the API of one store. */
export const operatorTokenCommands = (program: Command, store: (command: Command) => Command) => {
  const tokens = program.command('operator-token').description('Manage API tokens for operators')

  store(tokens.command('create').description('Create a token; it is shown only once'))
    .requiredOption('--name <name>', 'program or machine that uses it, for example studio-pc')
    .addOption(new Option('--scope <scope...>', 'permissions').choices(permission.options).makeOptionMandatory())
    .option(
      '--expires <time>',
      'lifetime, for example 12h, or `never` to keep it until revoked (default: 90d)',
      readLife,
    )
    .action(async (options: StoreOptions & { name: string; scope: Permission[]; expires?: number | null }) => {
      const { name, scope: scopes, expires = 90 * dayMilliseconds } = options
      const { answer: made, timeZone } = await transactWithZone(options, (ctx) =>
        createToken(ctx, actorOf(options), { name, scopes, validMilliseconds: expires }),
      )
      console.log(made.token)
      const end = made.expiresAt ? formatTime(new Date(made.expiresAt), timeZone) : 'it is revoked'
      console.error(
        `Save it now. It is not shown again. It gives operators access to ${customerBase(options.customer)} until ${end}.`,
      )
    })

  store(program.command('operator-tokens').description('List API tokens and when they were last used')).action(
    async (options: StoreOptions) => {
      const { answer: rows, timeZone } = await transactWithZone(options, listTokens)
      printRows(
        rows.map(({ name, scopes, status, createdAt, expiresAt, lastUsedAt }) => ({
          name,
          status,
          scopes: scopes.join(' '),
          created: timeOf(createdAt),
          expires: timeOf(expiresAt) ?? 'never',
          'last used': timeOf(lastUsedAt) ?? 'never',
        })),
        'There are no operator tokens.',
        timeZone,
      )
    },
  )

  store(tokens.command('revoke').description('Revoke a token immediately'))
    .requiredOption('--name <name>', 'which')
    .action(async (options: StoreOptions & { name: string }) => {
      const { name } = await transact(options, async (ctx) => {
        const revoked = await revokeToken(ctx, actorOf(options), { name: options.name })
        if (isFailure(revoked))
          throw new OperatorError(`This store has no active operator token named ${options.name}.`)
        return revoked
      })
      console.log(`Revoked ${name}.`)
    })
}
