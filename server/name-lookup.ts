import dns, { type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP } from 'node:net'
import type { FaultLog } from '#api/platform/log/log.ts'
import { errorCode } from '#contract/safe-error.ts'

/**
 * Look-ups at the same time. Each occupies one of the four threads in which Node also hashes
 * passwords and reads files, for ten seconds or more where the resolver is silent.
 */
const maxAtOnce = 2
/** From then on a look-up is a fault. Milliseconds. */
const slowAfter = 2_000
/** How long a connection waits for its first address. Milliseconds. */
const firstWait = 4_000
/** How long one waits whose host was found before. Milliseconds. */
const repeatedWait = 500

type Addresses = readonly LookupAddress[]
type Callback = (error: Error | null, address?: string | Addresses, family?: number) => void

/** The look-ups of this process, as its health observes them. */
export interface NameLookups {
  /** Names the log of failures. */
  observe: (faults: FaultLog) => void
  /** Looks up again what failed last. */
  probe: () => Promise<void>
}

const temporaryError = (host: string) =>
  Object.assign(new Error(`The host ${host} was not found in time`), {
    code: 'EAI_AGAIN',
    syscall: 'getaddrinfo',
    hostname: host,
  })

/** A host that does not exist is an answer. */
const isTemporary = (error: unknown) => !['ENOTFOUND', 'ENODATA'].includes(errorCode(error) ?? '')

const createNameLookups = (lookUp: typeof dns.lookup) => {
  const pending = new Map<string, Promise<Addresses>>()
  const known = new Map<string, Addresses>()
  const waiting: (() => void)[] = []
  let running = 0
  let faults: FaultLog = { onSuccess: () => {}, onFailure: () => {} }
  let failed: { host: string; options: LookupOptions } | null = null

  /** Waits for one of the threads. */
  const begin = async () => {
    if (running >= maxAtOnce) await new Promise<void>((free) => waiting.push(free))
    else running++
  }
  const end = () => {
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  const run = async (key: string, host: string, options: LookupOptions): Promise<Addresses> => {
    const noteFailure = (error: Error) => {
      failed = { host, options }
      faults.onFailure(error)
    }
    let isSlow = false
    const timer = setTimeout(() => {
      isSlow = true
      noteFailure(temporaryError(host))
    }, slowAfter)
    await begin()
    try {
      const addresses = await new Promise<Addresses>((resolve, reject) =>
        lookUp(host, { ...options, all: true }, (error, all) => (error ? reject(error) : resolve(all))),
      )
      known.set(key, addresses)
      if (!isSlow) faults.onSuccess()
      return addresses
    } catch (error) {
      if (error instanceof Error && isTemporary(error)) noteFailure(error)
      else if (!isSlow) faults.onSuccess()
      throw error
    } finally {
      clearTimeout(timer)
      pending.delete(key)
      end()
    }
  }

  const find = async (host: string, options: LookupOptions): Promise<Addresses> => {
    const key = JSON.stringify([host, options.family, options.hints, options.order, options.verbatim])
    const looking = pending.get(key) ?? run(key, host, options)
    pending.set(key, looking)
    const former = known.get(key)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(temporaryError(host)), former ? repeatedWait : firstWait)
    })
    try {
      return await Promise.race([looking, late])
    } catch (error) {
      if (former && isTemporary(error)) return former
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  const lookup = (host: string, given: LookupOptions | number | Callback, last?: Callback) => {
    const callback = typeof given === 'function' ? given : last
    const options = typeof given === 'number' ? { family: given } : typeof given === 'function' ? {} : given
    if (!host || isIP(host) > 0 || !callback)
      return Reflect.apply(lookUp, dns, last ? [host, given, last] : [host, given])
    find(host, options).then(
      (addresses) => {
        const [first] = addresses
        if (options.all) callback(null, addresses)
        else callback(null, first?.address, first?.family)
      },
      (error: Error) => callback(error),
    )
  }
  const lookups: NameLookups = {
    observe: (log) => {
      faults = log
    },
    probe: async () => {
      if (failed) await find(failed.host, failed.options)
    },
  }
  return { lookup, lookups }
}

let installed: NameLookups | null = null

/**
 * Makes connections of this process share look-ups of the same host, wait for them a limited time,
 * and use the former addresses of a host where the resolver does not answer.
 */
export const shareNameLookups = (): NameLookups => {
  if (installed) return installed
  const { lookup, lookups } = createNameLookups(dns.lookup)
  // Sockets read it from the module for each connection.
  Object.assign(dns, { lookup })
  installed = lookups
  return lookups
}
