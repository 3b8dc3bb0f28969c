import { lookup as lookUp } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { asError } from '#api/platform/log/log.ts'
import { errorCode } from '#contract/safe-error.ts'

/** Returns every address of a host name. */
export type ResolveHost = (host: string) => Promise<string[]>

/** The addresses that the resolver of this machine knows. */
export const resolveHost: ResolveHost = (host) =>
  new Promise((resolve, reject) => {
    lookUp(host, { all: true }, (error, found) =>
      error ? reject(error) : resolve(found.map(({ address }) => address)),
    )
  })

/** Networks that are not on the public internet, or that reach others through a translation. */
const closedNetworks = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  closedNetworks.addSubnet(network, bits, 'ipv4')

/** Only this part of IPv6 is in use for public addresses. */
const publicNetworks = new BlockList()
publicNetworks.addSubnet('2000::', 3, 'ipv6')
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  closedNetworks.addSubnet(network, bits, 'ipv6')

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Where requests may go. */
export interface AllowedAddresses {
  /** The demo and tests send to programs on this machine, also without TLS. */
  allowsLoopback: boolean
}

/** Whether a request may be sent to an IP address. */
export const isAllowedAddress = (address: string, { allowsLoopback }: AllowedAddresses): boolean => {
  const kind = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (allowsLoopback && loopback.check(address, kind)) return true
  if (closedNetworks.check(address, kind)) return false
  return kind === 'ipv4' || publicNetworks.check(address, 'ipv6')
}

/** The host of an address, without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

type RequestFailure = 'TIMEOUT' | 'NOT_FOUND' | 'ADDRESS_REFUSED' | 'CONNECTION' | 'TLS'

/** A response, with its beginning; or why there is none. `status` is null without one. */
export interface RequestResult {
  status: number | null
  body: string
  failure: RequestFailure | null
}

class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/**
 * Resolves a host for the connection that follows. The connection is made to an address that was
 * checked here, so that a name which leads elsewhere a moment later changes nothing.
 */
const checkedLookup =
  (resolve: ResolveHost, allowed: AllowedAddresses): LookupFunction =>
  (host, { all }, callback) => {
    const answer = (error: Error | null, addresses: string[]) => {
      const found = addresses.map((address) => ({ address, family: isIP(address) }))
      const [first = { address: '', family: 0 }] = found
      if (all) callback(error, found)
      else callback(error, first.address, first.family)
    }
    resolve(host).then(
      (addresses) =>
        addresses.length > 0 && addresses.every((address) => isAllowedAddress(address, allowed))
          ? answer(null, addresses)
          : answer(new AddressRefused(`${host} leads to an address that is not public`), []),
      (error: unknown) => answer(asError(error), []),
    )
  }

const failureOf = (error: unknown): RequestFailure => {
  if (error instanceof AddressRefused) return 'ADDRESS_REFUSED'
  const code = errorCode(error) ?? ''
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) return 'NOT_FOUND'
  if (code === 'ETIMEDOUT') return 'TIMEOUT'
  return /^(?:CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code) ? 'TLS' : 'CONNECTION'
}

/**
 * Connects to a host that somebody else has chosen, at an allowed address. `timeout` is in
 * milliseconds, from the name of the host to the connection.
 *
 * @throws why there is no connection; an `AddressRefused` where the address is not allowed
 */
export const connectToPublic = (
  { resolveHost: resolve, allowsLoopback }: PublicRequestDeps,
  { host, port, timeout }: { host: string; port: number; timeout: number },
): Promise<Socket> =>
  new Promise((settle, reject) => {
    // A literal address is not looked up.
    if (isIP(host) !== 0 && !isAllowedAddress(host, { allowsLoopback }))
      return reject(new AddressRefused(`${host} is not a public address`))
    const socket = connect({ host, port, lookup: checkedLookup(resolve, { allowsLoopback }) })
    const late = Object.assign(new Error(`No answer from ${host}:${port}`), { code: 'ETIMEDOUT' })
    const timer = setTimeout(() => socket.destroy(late), timeout)
    // It stays: a later error without a listener would end the process.
    socket.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    socket.once('connect', () => {
      clearTimeout(timer)
      settle(socket)
    })
  })

export interface PublicPost {
  url: string
  headers: Record<string, string>
  body: string
  /** Milliseconds for everything, from the name of the host to the end of the response. */
  timeout: number
  /** How many bytes of the response are read. */
  maxResponseBytes: number
  /** Ends the request early. */
  signal: AbortSignal
}

/** What sending needs of the process. */
export interface PublicRequestDeps extends AllowedAddresses {
  resolveHost: ResolveHost
  /** Milliseconds for a request; tests wait for less. */
  timeout?: number
}

/**
 * Posts to an address that somebody else has chosen. Follows no redirect, connects to allowed
 * addresses alone, and never throws for what the other side does.
 *
 * @throws the reason of `signal`
 */
export const postToPublic = (
  { resolveHost: resolve, allowsLoopback }: PublicRequestDeps,
  { url: address, headers, body, timeout, maxResponseBytes, signal }: PublicPost,
): Promise<RequestResult> =>
  new Promise((settle, reject) => {
    const url = new URL(address)
    const refused = (failure: RequestFailure) => settle({ status: null, body: '', failure })
    const host = hostOf(url)
    // A literal address is not looked up.
    if (isIP(host) !== 0 && !isAllowedAddress(host, { allowsLoopback })) return refused('ADDRESS_REFUSED')
    if (url.protocol !== 'https:' && !allowsLoopback) return refused('ADDRESS_REFUSED')
    const late = AbortSignal.timeout(timeout)
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const length = Buffer.byteLength(body)
    const request = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': length },
      // A connection of its own: a kept one would lead to an address that was checked earlier.
      agent: false,
      lookup: checkedLookup(resolve, { allowsLoopback }),
      signal: AbortSignal.any([late, signal]),
    })
    const fail = (error: unknown) => {
      if (signal.aborted) return reject(asError(signal.reason))
      refused(late.aborted ? 'TIMEOUT' : failureOf(error))
    }
    request.on('error', fail)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      const finish = () => {
        if (signal.aborted) return reject(asError(signal.reason))
        const text = Buffer.concat(chunks).subarray(0, maxResponseBytes).toString('utf8')
        // PostgreSQL stores no NUL in texts.
        settle({ status: response.statusCode ?? null, body: text.replaceAll('\0', ''), failure: null })
        response.destroy()
      }
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes >= maxResponseBytes) finish()
      })
      // The status counts, also where the rest of the response is slow or breaks off.
      response.on('end', finish)
      response.on('error', finish)
      response.on('close', finish)
    })
    request.end(body)
  })

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
