import type { Config } from '#api/config.ts'
import type { Deps } from '#api/deps.ts'
import { decryptSecrets, isProvider, missingFrom } from '#api/modules/billing/providers.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { readStores } from '#api/modules/tenancy/tenancy.queries.ts'
import type { Customer } from '#api/platform/context.ts'
import { secretFor } from '#api/platform/crypto.ts'
import { examineCertificates } from './certificates.ts'
import { advised, examine, type Finding, ok, wrong } from './finding.ts'

const isPublic = (host: string) => !/(?:^|\.)localhost$/.test(host)

/** Returns the finding about how a store takes money; null if it sells nothing. */
const examineAccount = (
  { code, paymentAccounts, settings: { order } }: Customer,
  { secret, paymentSecrets }: Pick<Deps, 'secret' | 'paymentSecrets'>,
): Finding | null => {
  if (!order.usePayment && !order.useSubscribe) return null
  const active = paymentAccounts.find((account) => account.active)
  const change = `npm run cli -- payment-provider -c ${code}`
  if (!active)
    return advised('Payments', `${code} has no payment provider, so nobody can pay. Set one: ${change} --help`)
  const { provider, options } = active
  if (!isProvider(provider)) return wrong('Payments', `${code} uses ${provider}, which this version does not know.`)
  if (provider === 'sandbox')
    return advised(
      'Payments',
      `${code} takes test payments only, with the sandbox. Set another provider: ${change} --help`,
    )
  try {
    const facts = { encryptionSecret: secretFor(secret, 'sealed columns'), installation: paymentSecrets }
    const missing = missingFrom({ provider, options, secrets: decryptSecrets(active, facts) })
    if (missing.length === 0) return ok('Payments', `${code} takes payments with ${provider}`)
    return wrong(
      'Payments',
      `The account of ${code} at ${provider} lacks ${missing.join(', ')}. Set them: ${change} --help`,
    )
  } catch {
    return wrong(
      'Payments',
      `The secrets of ${code} at ${provider} cannot be decrypted with this MARQUEE_SECRET. Use the one with which they were set, or set them again: ${change} --help`,
    )
  }
}

/** Checks the payment providers and, in production, the certificates of the hosts of all stores. */
export const examineStores = (deps: Pick<Deps, 'pool' | 'secret' | 'paymentSecrets'>, { production }: Config) =>
  examine('Stores', async () => {
    const stores = (await readStores(deps.pool)).filter(({ state }) => state === 'open')
    const findings: Finding[] = [ok('Stores', `${stores.length} open`)]
    // Elsewhere stores without a provider take test payments, and nobody needs a certificate.
    if (!production) return findings
    for (const { code } of stores) {
      const customer = await resolveCustomer(deps, code)
      const finding = customer && examineAccount(customer, deps)
      if (finding) findings.push(finding)
    }
    const hosts = stores.flatMap(({ hosts }) => hosts?.split(' ') ?? []).filter(isPublic)
    return [...findings, ...(await examineCertificates(hosts))]
  })
