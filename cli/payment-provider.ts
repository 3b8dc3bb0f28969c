import { type Command, InvalidArgumentError } from 'commander'
import type { Deps } from '#api/deps.ts'
import { choosePaymentAccount } from '#api/modules/admin/actions.ts'
import type { PaymentEnv } from '#api/modules/billing/payment-states.ts'
import {
  isProvider,
  missingFrom,
  openSecrets,
  type ProviderName,
  providerNeeds,
} from '#api/modules/billing/providers/providers.ts'
import { encrypt } from '#api/platform/crypto.ts'
import { StartupError } from '#api/platform/log.ts'
import { customerBase } from '#contract/index.ts'
import { readEnvironment } from '#server/environment.ts'
import { actorOf, inStore, type StoreOptions } from './open.ts'
import { printRows } from './print.ts'

type Pairs = Record<string, string>

interface Wish extends StoreOptions {
  option: Pairs
  secret: Pairs
}

const collect = (text: string, before: Pairs): Pairs => {
  const [, name, value] = /^([A-Za-z]+)=(.+)$/s.exec(text) ?? []
  if (!name || !value) throw new InvalidArgumentError('Enter a name and a value, for example storeId=store-1234.')
  return { ...before, [name]: value }
}

const list = (names: readonly string[]) => (names.length > 0 ? names.join(', ') : 'none')

const known = (given: Pairs, names: readonly string[], what: string, provider: string) => {
  const strange = Object.keys(given).find((name) => !names.includes(name))
  if (strange) throw new StartupError(`${provider} has no ${what} called ${strange}. It knows: ${list(names)}.`)
}

/** The values of the environment's variables that hold the secrets. */
const readSecrets = (wish: Pairs, environment: Record<string, string | undefined>): Pairs =>
  Object.fromEntries(
    Object.entries(wish).map(([name, variable]) => {
      const value = environment[variable]
      if (!value)
        throw new StartupError(
          `The variable ${variable} is empty: it is to hold the ${name}, so that it stands in no history of commands.`,
        )
      return [name, value]
    }),
  )

const choose = async (env: PaymentEnv, deps: Deps, provider: ProviderName, wish: Wish, secrets: Pairs) => {
  const before = env.customer.paymentAccounts.find((account) => account.provider === provider)
  const options = { ...before?.options, ...wish.option }
  const kept = before?.secrets ? openSecrets({ provider, secrets: before.secrets }, { ...env, installation: {} }) : {}
  const own = { ...kept, ...secrets }
  const whole = { ...deps.paymentSecrets[provider], ...own }
  const missing = missingFrom({ provider, options, secrets: whole })
  if (missing.length > 0) throw new StartupError(`${provider} is not fully configured. Missing: ${list(missing)}.`)
  const names = Object.keys(own)
  const sealed = names.length > 0 ? encrypt(env.sealSecret, JSON.stringify(own)) : null
  await env.inTransaction((ctx) =>
    choosePaymentAccount(ctx, actorOf(wish), { provider, options, secrets: sealed }, names),
  )
  return names
}

const show = (env: PaymentEnv, deps: Deps) => {
  const own = (provider: string, secrets: string | null) =>
    secrets ? Object.keys(openSecrets({ provider, secrets }, { ...env, installation: {} })) : []
  const rows = env.customer.paymentAccounts.map(({ provider, active, options, secrets }) => ({
    provider,
    takes: active ? 'new payments' : 'none, keeps its own',
    options: Object.entries(options)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
    'secrets kept': own(provider, secrets).join(' '),
    'secrets of the environment': Object.keys(deps.paymentSecrets[provider] ?? {}).join(' '),
  }))
  printRows(
    rows,
    'No payment provider is set. In production no payments are accepted; the demo uses the embedded sandbox.',
  )
}

/** Who takes a store's payments. */
export const paymentProviderCommand = (program: Command, store: (command: Command) => Command) => {
  store(program.command('payment-provider').description('Show or set a store’s payment provider'))
    .argument('[provider]', Object.keys(providerNeeds).join(', '))
    .option('--option <name=value>', 'account option', collect, {})
    .option('--secret <name=VARIABLE>', 'secret, read from the named environment variable', collect, {})
    .action(async (provider: string | undefined, wish: Wish) => {
      if (provider === undefined) return inStore(wish, async (env, deps) => show(env, deps))
      if (!isProvider(provider))
        throw new StartupError(
          `There is no payment provider called ${provider}. There are: ${Object.keys(providerNeeds).join(', ')}.`,
        )
      const needs = providerNeeds[provider]
      known(wish.option, [...needs.options, ...needs.optional], 'option', provider)
      known(wish.secret, needs.secrets, 'secret', provider)
      const secrets = readSecrets(wish.secret, readEnvironment().variables)
      const names = await inStore(wish, (env, deps) => choose(env, deps, provider, wish, secrets))
      console.log(`${provider} is now the payment provider of ${wish.customer}. Secrets kept: ${list(names)}.`)
      console.log(`Webhook address: <the store's address>${customerBase(wish.customer)}/webhooks/${provider}`)
    })
}
