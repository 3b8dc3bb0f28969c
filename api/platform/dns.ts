import { Resolver } from 'node:dns/promises'
import { errorCode } from '#contract/safe-error.ts'

/** How long one question may take, on all name servers together. Milliseconds. */
const longestWait = 4_000
const attemptTimeout = 1_500
const attempts = 2

/** The DNS says so: there is no such name, or it has no record of the type. */
const missingCodes = ['ENOTFOUND', 'ENODATA']

/** Asks the DNS for records. A question without an answer in time has the answer null. */
export interface DnsRecords {
  /** Returns the texts of TXT records, each as one text. */
  texts: (name: string) => Promise<string[] | null>
  /** Returns the IPv4 and IPv6 addresses of a host. */
  addresses: (host: string) => Promise<string[] | null>
}

/** Browsers resolve hosts below `localhost` by themselves, and the DNS has none (RFC 6761). */
export const isLocalHost = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

/**
 * Asks name servers, by default the system's. Unlike the look-ups of connections it occupies no
 * thread of the process, and each question has a time limit.
 *
 * @param nameServers IP addresses, each with a port where it is not 53. Empty: the system's
 */
export const createDnsRecords = (nameServers: readonly string[]): DnsRecords => {
  const ask = async (question: (resolver: Resolver) => Promise<string[]>): Promise<string[] | null> => {
    const resolver = new Resolver({ timeout: attemptTimeout, tries: attempts })
    if (nameServers.length > 0) resolver.setServers(nameServers)
    const timer = setTimeout(() => resolver.cancel(), longestWait)
    try {
      return await question(resolver)
    } catch (error) {
      return missingCodes.includes(errorCode(error) ?? '') ? [] : null
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    // A long text is in several parts.
    texts: (name) => ask(async (resolver) => (await resolver.resolveTxt(name)).map((parts) => parts.join(''))),
    addresses: async (host) => {
      if (isLocalHost(host)) return ['127.0.0.1', '::1']
      const [four, six] = await Promise.all([
        ask((resolver) => resolver.resolve4(host)),
        ask((resolver) => resolver.resolve6(host)),
      ])
      const found = [...(four ?? []), ...(six ?? [])]
      return found.length === 0 && (four === null || six === null) ? null : found
    },
  }
}
