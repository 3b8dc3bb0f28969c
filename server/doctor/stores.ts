import type { Config } from '#api/config.ts'
import type { Deps } from '#api/deps.ts'
import { ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import { decryptSecrets, isProvider, missingFrom } from '#api/modules/billing/providers.ts'
import { openStoreMailer } from '#api/modules/mail/mail-servers.ts'
import { readMailServer } from '#api/modules/mail/send-mails.queries.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { readStores } from '#api/modules/tenancy/tenancy.queries.ts'
import type { Customer, PaymentAccount } from '#api/platform/context.ts'
import { secretFor } from '#api/platform/crypto.ts'
import { withTenant } from '#api/platform/db/client.ts'
import type { PaymentProviderName } from '#contract/admin/payments.ts'
import { examineCertificates } from './certificates.ts'
import { advised, examine, type Finding, ok, wrong } from './finding.ts'

const isPublic = (host: string) => !/(?:^|\.)localhost$/.test(host)

type StoreDeps = Pick<Deps, 'pool' | 'secret' | 'paymentSecrets' | 'publicRequests' | 'mailSender' | 'providerOf'>

/** Returns what an account lacks, as the finding about it; null if it is complete. */
const examineSecrets = (
  { code }: Customer,
  { provider, options, secrets }: PaymentAccount & { provider: PaymentProviderName },
  { secret, paymentSecrets }: StoreDeps,
): Finding | null => {
  const change = `npm run cli -- payment-provider -c ${code} --help`
  try {
    const facts = { encryptionSecret: secretFor(secret, 'sealed columns'), installation: paymentSecrets }
    const missing = missingFrom({ provider, options, secrets: decryptSecrets({ provider, secrets }, facts) })
    if (missing.length === 0) return null
    return wrong('Payments', `The account of ${code} at ${provider} lacks ${missing.join(', ')}. Set them: ${change}`)
  } catch {
    return wrong(
      'Payments',
      `The secrets of ${code} at ${provider} cannot be decrypted with this MARQUEE_SECRET. Use the one with which they were set, or set them again: ${change}`,
    )
  }
}

/**
 * Checks how a store takes money, and asks its provider whether it accepts the account; null if the
 * store sells nothing.
 */
const examineAccount = async (customer: Customer, deps: StoreDeps): Promise<Finding | null> => {
  const { code, paymentAccounts, settings } = customer
  if (!settings.order.usePayment && !settings.order.useSubscribe) return null
  const active = paymentAccounts.find((account) => account.active)
  const change = `npm run cli -- payment-provider -c ${code} --help`
  if (!active) return advised('Payments', `${code} has no payment provider, so nobody can pay. Set one: ${change}`)
  const { provider } = active
  if (!isProvider(provider)) return wrong('Payments', `${code} uses ${provider}, which this version does not know.`)
  if (provider === 'sandbox')
    return advised('Payments', `${code} takes test payments only, with the sandbox. Set another provider: ${change}`)
  const incomplete = examineSecrets(customer, { ...active, provider }, deps)
  if (incomplete) return incomplete
  try {
    if (await deps.providerOf(customer).acceptsAccount())
      return ok('Payments', `${code} takes payments with ${provider}`)
    return wrong(
      'Payments',
      `${provider} refuses the account of ${code}, so nobody can pay. Compare its secrets with those in the provider’s dashboard, and set them again: ${change}`,
    )
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    return wrong(
      'Payments',
      `${provider} did not answer for the account of ${code}. While it cannot be reached from here, nobody can pay. Check the network and the provider’s status page.`,
    )
  }
}

/** Checks that a store's own mail server accepts the sign-in, without a mail; null without one. */
const examineMailServer = async ({ id, code }: Customer, deps: StoreDeps): Promise<Finding | null> => {
  const row = await withTenant(deps.pool, id, (db) => readMailServer(db, id))
  if (!row) return null
  const mailer = openStoreMailer(deps, row)
  const refusal = await mailer.check().finally(mailer.close)
  const server = `${row.host}:${row.port}`
  return refusal === null
    ? ok('Email', `${server} of ${code} accepts the sign-in`)
    : advised(
        'Email',
        `The mail server ${server} of ${code} cannot be used: ${refusal.reason}. Its staff change it in the console.`,
      )
}

/** Servers and providers that are asked at once. */
const callsAtOnce = 8

const examineEach = async (
  customers: readonly Customer[],
  check: (customer: Customer) => Promise<Finding | null>,
): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (let at = 0; at < customers.length; at += callsAtOnce) {
    const checks = customers.slice(at, at + callsAtOnce).map(check)
    findings.push(...(await Promise.all(checks)).filter((finding) => finding !== null))
  }
  return findings
}

/**
 * Checks the mail servers of all stores and, in production, their payment providers and the
 * certificates of their hosts.
 */
export const examineStores = (deps: StoreDeps, { production }: Config) =>
  examine('Stores', async () => {
    const stores = (await readStores(deps.pool)).filter(({ state }) => state === 'open')
    const findings: Finding[] = [ok('Stores', `${stores.length} open`)]
    const customers: Customer[] = []
    for (const { code } of stores) {
      const customer = await resolveCustomer(deps, code)
      if (customer) customers.push(customer)
    }
    findings.push(...(await examineEach(customers, (customer) => examineMailServer(customer, deps))))
    // Elsewhere stores without a provider take test payments, and nobody needs a certificate.
    if (!production) return findings
    findings.push(...(await examineEach(customers, (customer) => examineAccount(customer, deps))))
    const hosts = stores.flatMap(({ hosts }) => hosts?.split(' ') ?? []).filter(isPublic)
    return [...findings, ...(await examineCertificates(hosts))]
  })
