import type { Config } from '#api/config.ts'
import type { Deps } from '#api/deps.ts'
import { decryptSecrets, isProvider, missingFrom } from '#api/modules/billing/providers.ts'
import { openStoreMailer } from '#api/modules/mail/mail-servers.ts'
import { readMailServer } from '#api/modules/mail/send-mails.queries.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { readStores } from '#api/modules/tenancy/tenancy.queries.ts'
import type { Customer } from '#api/platform/context.ts'
import { secretFor } from '#api/platform/crypto.ts'
import { withTenant } from '#api/platform/db/client.ts'
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

type StoreDeps = Pick<Deps, 'pool' | 'secret' | 'paymentSecrets' | 'publicRequests' | 'mailSender'>

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

/** Mail servers that are checked at once. */
const serversAtOnce = 8

const examineMailServers = async (customers: readonly Customer[], deps: StoreDeps): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (let at = 0; at < customers.length; at += serversAtOnce) {
    const checks = customers.slice(at, at + serversAtOnce).map((customer) => examineMailServer(customer, deps))
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
    findings.push(...(await examineMailServers(customers, deps)))
    // Elsewhere stores without a provider take test payments, and nobody needs a certificate.
    if (!production) return findings
    for (const customer of customers) {
      const finding = examineAccount(customer, deps)
      if (finding) findings.push(finding)
    }
    const hosts = stores.flatMap(({ hosts }) => hosts?.split(' ') ?? []).filter(isPublic)
    return [...findings, ...(await examineCertificates(hosts))]
  })
