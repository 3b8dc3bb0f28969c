import { type Command, InvalidArgumentError } from 'commander'
import type { Deps } from '#api/deps.ts'
import type { PaymentCtx } from '#api/modules/billing/payment-states.ts'
import { decryptSecrets, isProvider, providerNeeds, setPaymentAccount } from '#api/modules/billing/providers.ts'
import { isFailure } from '#api/platform/context.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import type { PaymentProviderName } from '#contract/admin/payments.ts'
import { customerBase } from '#contract/http.ts'
import { readEnvironment } from '#server/environment.ts'
import { actorOf, inStore, type StoreOptions } from '../platform/open.ts'
import { printRows } from '../platform/print.ts'

type Pairs = Record<string, string>

interface ProviderOptions extends StoreOptions {
  option: Pairs
  secret: Pairs
}

const collect = (text: string, before: Pairs): Pairs => {
  const [, name, value] = /^([A-Za-z]+)=(.+)$/s.exec(text) ?? []
  if (!name || !value) throw new InvalidArgumentError('Enter a name and a value, for example storeId=store-1234.')
  return { ...before, [name]: value }
}

const list = (names: readonly string[]) => (names.length > 0 ? names.join(', ') : 'none')

const requireKnown = (pairs: Pairs, names: readonly string[], what: string, provider: string) => {
  const unknown = Object.keys(pairs).find((name) => !names.includes(name))
  if (unknown) throw new OperatorError(`${provider} has no ${what} named ${unknown}. Use: ${list(names)}.`)
}

/** Reads secrets from the environment variables that the options name. */
const readSecrets = (options: Pairs, environment: Record<string, string | undefined>): Pairs =>
  Object.fromEntries(
    Object.entries(options).map(([name, variable]) => {
      const value = environment[variable]
      if (!value)
        throw new OperatorError(
          `The environment variable ${variable} is missing or empty. It must contain the ${name}, which keeps it out of the shell history.`,
        )
      return [name, value]
    }),
  )

/** Returns the names of the stored secrets. */
const choose = async (
  ctx: PaymentCtx,
  deps: Deps,
  provider: PaymentProviderName,
  input: ProviderOptions,
  secrets: Pairs,
) => {
  const { options, optional, internal } = providerNeeds[provider]
  const facts = {
    encryptionSecret: ctx.encryptionSecret,
    installation: deps.paymentSecrets,
    allowedOptions: [...options, ...optional, ...internal],
  }
  const change = { provider, options: input.option, secrets }
  const stored = await ctx.inTransaction((tx) => setPaymentAccount(tx, actorOf(input), change, facts))
  if (!isFailure(stored)) return stored
  const missing = Object.keys(stored.errors ?? {}).map((name) => name.replace(/^\w+\./, ''))
  throw new OperatorError(`${provider} is not fully configured. Missing: ${list(missing)}.`)
}

const show = (ctx: PaymentCtx, deps: Deps) => {
  const secretNamesOf = (provider: string, secrets: string | null) =>
    secrets ? Object.keys(decryptSecrets({ provider, secrets }, { ...ctx, installation: {} })) : []
  const rows = ctx.customer.paymentAccounts.map(({ provider, active, options, secrets }) => ({
    provider,
    takes: active ? 'new payments' : 'earlier payments only',
    options: Object.entries(options)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
    'secrets kept': secretNamesOf(provider, secrets).join(' '),
    'environment secrets': Object.keys(deps.paymentSecrets[provider] ?? {}).join(' '),
  }))
  printRows(
    rows,
    'No payment provider is set. In production no payments are accepted; the demo uses the embedded sandbox.',
  )
}

/** Commands that choose the payment provider of a store. */
export const paymentProviderCommand = (program: Command, store: (command: Command) => Command) => {
  store(program.command('payment-provider').description('Show or set a store’s payment provider'))
    .argument('[provider]', Object.keys(providerNeeds).join(', '))
    .option('--option <name=value>', 'account option', collect, {})
    .option('--secret <name=VARIABLE>', 'secret, read from the named environment variable', collect, {})
    .action(async (provider: string | undefined, options: ProviderOptions) => {
      if (provider === undefined) return inStore(options, async (ctx, deps) => show(ctx, deps))
      if (!isProvider(provider))
        throw new OperatorError(
          `There is no payment provider named ${provider}. Use one of: ${Object.keys(providerNeeds).join(', ')}.`,
        )
      const needs = providerNeeds[provider]
      requireKnown(options.option, [...needs.options, ...needs.optional, ...needs.internal], 'option', provider)
      requireKnown(options.secret, needs.secrets, 'secret', provider)
      const secrets = readSecrets(options.secret, readEnvironment().variables)
      const names = await inStore(options, (ctx, deps) => choose(ctx, deps, provider, options, secrets))
      console.log(`${provider} is now the payment provider of ${options.customer}. Stored secrets: ${list(names)}.`)
      console.log(`Webhook address: <the store’s address>${customerBase(options.customer)}/webhooks/${provider}`)
    })
}
