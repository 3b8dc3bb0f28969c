import {
  applySplitRules,
  decode,
  isRuleTarget,
  match,
  pathKey,
  type SplitRule,
  splitRules,
  trimSlashes,
  withoutSearch,
} from './route-rules.ts'
import { storefrontPath } from './rules.ts'
import type { RouteRule } from './tenancy.ts'

const names = (text: string): string[] => [...text.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** Stands for any value of the name at a place of a pattern. No address of a store has it. */
const anyAt = (place: number) => `~any${place}~`
const anyPattern = /~any\d+~/

/** Returns an address of a pattern, with a value that stands for any in place of each name. */
const exampleOf = (from: string): string => {
  let place = 0
  return trimSlashes(from.replaceAll(/:\w+\*?/g, () => anyAt(place++)))
}

/** Browsers stop after this many redirects. */
const maxRedirects = 20

/** How many comparisons of a rule with an address the search for loops may take: some 100 ms. */
const maxComparisons = 400_000

/** Returns the path of an address inside the store; undefined for another host. */
function pathInStore(href: string, ownHosts: readonly string[]): string | undefined {
  if (href.startsWith('/')) return href
  const url = new URL(href)
  return ownHosts.includes(url.host) ? url.pathname : undefined
}

/**
 * Returns the text that a value for any must have so that an address fits a pattern; undefined if
 * the address fits with any value, or with none.
 */
function neededValue(
  pattern: readonly string[],
  segments: readonly string[],
): { any: string; value: string } | undefined {
  for (const [at, part] of pattern.entries()) {
    if (part.startsWith(':')) {
      if (part.endsWith('*')) return undefined
      continue
    }
    const segment = segments[at]
    const any = segment && anyPattern.exec(segment)?.[0]
    if (segment === part || !segment) {
      if (segment === undefined) return undefined
      continue
    }
    if (!any) return undefined
    // The value of a last name may be longer than one segment.
    if (segment === any && at === segments.length - 1)
      return {
        any,
        value: pattern
          .slice(at)
          .map((each) => (each.startsWith(':') ? 'any' : each))
          .join('/'),
      }
    const [before = '', after = ''] = segment.split(any)
    if (!part.startsWith(before) || !part.endsWith(after) || part.length <= before.length + after.length)
      return undefined
    return { any, value: part.slice(before.length, part.length - after.length) }
  }
  return undefined
}

/** A path that patterns are compared with. */
const splitPath = (path: string) => {
  const segments = path.split('/')
  return { segments, decoded: segments.map(decode) }
}
type SplitPath = ReturnType<typeof splitPath>

const fits = (pattern: readonly string[], { segments, decoded }: SplitPath): boolean =>
  match(pattern, segments, decoded) !== undefined

interface Loop {
  /** The first rule of the loop. */
  at: number
  passed: { at: number; path: string }[]
  back: string
}

/**
 * Searches a loop: follows the redirects of an address of each rule, with a value for any in place
 * of each name, and with the values that other rules name where they would match instead. Each
 * address is followed once.
 *
 * @returns the loop; undefined if there is none; null if the rules take too many comparisons
 */
function findRedirectLoop(
  rules: readonly RouteRule[],
  redirectOrigins: readonly string[],
  ownHosts: readonly string[],
): Loop | undefined | null {
  const split = splitRules(rules)
  const byFirst = new Map<string, SplitRule[]>()
  const rulesFor = (first: string): readonly SplitRule[] => {
    if (anyPattern.test(first)) return split
    const cached = byFirst.get(first)
    if (cached) return cached
    const matching = split.filter(({ segments: [, own = ''] }) => own === first || own.startsWith(':'))
    byFirst.set(first, matching)
    return matching
  }
  const followed = new Set<string>()
  const waiting = rules.map(({ from }) => exampleOf(from))
  let comparisons = 0
  // Grows while it is read.
  for (const start of waiting) {
    const passed: { at: number; path: string }[] = []
    const keys = new Map<string, number>()
    let path = start
    while (true) {
      const key = pathKey(path)
      const before = keys.get(key)
      if (before !== undefined) return loopOf(passed.slice(before), path)
      if (passed.length === maxRedirects) {
        const last = passed.at(-1)
        // A chain of different rules ends; one that grows does not.
        if (passed.filter(({ at }) => at === last?.at).length > 1) return loopOf(passed.slice(-3), path)
        break
      }
      if (followed.has(key)) break
      followed.add(key)
      keys.set(key, passed.length)
      const segments = trimSlashes(path).split('/')
      const candidates = rulesFor(decode(segments[1] ?? ''))
      const next = applySplitRules(path, candidates, redirectOrigins)
      // Rules after the one that matches are never reached.
      for (const { at, segments: pattern } of anyPattern.test(path) ? candidates : []) {
        if (at === next?.at) break
        comparisons++
        const needed = neededValue(pattern, segments)
        if (needed) waiting.push(path.replaceAll(needed.any, needed.value))
      }
      comparisons += candidates.length
      if (comparisons > maxComparisons) return null
      const target = next && pathInStore(next.href, ownHosts)
      if (!target) break
      passed.push({ at: next.at, path })
      path = trimSlashes(withoutSearch(target))
    }
  }
  return undefined
}

const shown = (path: string): string => path.replaceAll(new RegExp(anyPattern, 'g'), 'any')

/** Begins a loop with its first rule. */
function loopOf(passed: readonly { at: number; path: string }[], back: string): Loop {
  const at = Math.min(...passed.map((address) => address.at))
  const first = passed.findIndex((address) => address.at === at)
  const isClosed = pathKey(passed[0]?.path ?? '') === pathKey(back)
  const ordered = isClosed ? [...passed.slice(first), ...passed.slice(0, first)] : passed
  const end = isClosed && first > 0 ? (ordered[0]?.path ?? back) : back
  return { at, passed: ordered.map((address) => ({ at: address.at, path: shown(address.path) })), back: shown(end) }
}

/** Addresses without which nobody signs in, finds a product or buys. */
const neededPages = [
  '/',
  '/carts',
  '/join/completed',
  '/join/input',
  '/join/verify',
  '/login',
  '/mypages',
  '/mypages/cards',
  '/mypages/order-histories',
  '/mypages/order-histories/~any~',
  '/mypages/paid-products',
  '/mypages/profile',
  '/mypages/subscription',
  '/payments',
  '/payments/result',
  '/plans',
  '/plans/~any~/payment',
  '/plans/~any~/payment-result',
  '/plans/payment',
  '/plans/payment-result',
  '/products',
  '/products/~any~',
  '/products/~any~/watch',
  '/reset-password',
].map(splitPath)

/** What is wrong with a part of the rules. */
export interface RouteRuleProblem {
  at: number
  part: 'from' | 'to'
  value: string
  message: string
  /** Faults of the rules together; absent for an address that is wrong by itself. */
  code?: 'DUPLICATE' | 'NEEDED_PAGE' | 'LOOP' | 'TOO_MANY'
}

/** Returns what is wrong with a rule by itself. */
function ruleProblem(
  at: number,
  { from, to }: RouteRule,
  redirectOrigins: readonly string[],
  ownHosts: readonly string[],
) {
  const wrong = (part: 'from' | 'to', message: string, code?: RouteRuleProblem['code']): RouteRuleProblem => {
    const problem = { at, part, value: part === 'from' ? from : to, message }
    return code ? { ...problem, code } : problem
  }
  if (!storefrontPath.test(from) || /[?#]/.test(from))
    return wrong('from', 'must be a path of the store without ? and #, for example /old/:code')
  if (/\*./.test(from.replaceAll(/:\w+\*$/g, '')) || /:\w+\*(?!$)/.test(from))
    return wrong('from', 'may contain `*` only after its last name, for example /old/:rest*')
  if (!isRuleTarget(to, redirectOrigins))
    return wrong(
      'to',
      'must be a path of the store, for example /products/:code, or a URL whose origin is in redirectOrigins',
    )
  const unknown = names(to.replace(/^https?:\/\/[^/]*/, '')).find((name) => !names(from).includes(name))
  if (unknown !== undefined) return wrong('to', `may use only the names of "from", which has no :${unknown}`)
  if (pathKey(from) === pathKey(pathInStore(to, ownHosts) ?? to))
    return wrong('to', 'must not be the same path as "from"', 'LOOP')
  const pattern = decode(trimSlashes(from)).split('/')
  if (neededPages.some((page) => fits(pattern, page)))
    return wrong('from', 'must not match a page that visitors need to sign in or to buy', 'NEEDED_PAGE')
  return undefined
}

/** Returns a rule that redirects all addresses of a pattern already. */
function coveringRule(from: string, before: readonly SplitRule[]): SplitRule | undefined {
  const rest = /:\w+\*$/
  // A last name stands for nothing, or for several segments.
  const addresses = (rest.test(from) ? [from.replace(rest, ''), from.replace(rest, 'any/any')] : [from]).map((each) =>
    splitPath(exampleOf(each)),
  )
  return before.find(({ segments }) => addresses.every((address) => fits(segments, address)))
}

/**
 * Describes the valid form of an invalid part of the rules. Returns undefined if all are valid.
 *
 * @param ownHosts Hosts of the store; without them, loops over its own absolute addresses are not
 * found
 */
export function routeRuleProblem(
  rules: readonly RouteRule[],
  redirectOrigins: readonly string[],
  ownHosts: readonly string[] = [],
): RouteRuleProblem | undefined {
  for (const [at, rule] of rules.entries()) {
    const problem = ruleProblem(at, rule, redirectOrigins, ownHosts)
    if (problem) return problem
  }
  const withoutNames = new Map<string, number>()
  const withNames: SplitRule[] = []
  for (const rule of splitRules(rules)) {
    const { at, segments } = rule
    const { from } = rule.rule
    const path = segments.join('/')
    const covering = withoutNames.get(path) ?? coveringRule(from, withNames)?.at
    if (covering !== undefined) {
      const message = `must be another path: routeRules[${covering}] redirects it already`
      return { at, part: 'from', value: from, message, code: 'DUPLICATE' }
    }
    if (/:\w/.test(from)) withNames.push(rule)
    else withoutNames.set(path, at)
  }
  const loop = findRedirectLoop(rules, redirectOrigins, ownHosts)
  if (loop === undefined) return undefined
  if (loop === null) {
    const at = rules.findIndex(({ from }) => from.includes(':'))
    const message = 'must have fewer names: these rules cannot be checked for redirect loops'
    return { at, part: 'from', value: rules[at]?.from ?? '', message, code: 'TOO_MANY' }
  }
  const places = [...new Set(loop.passed.map(({ at }) => at))]
  const loopPath = [...loop.passed.map(({ path }) => path), loop.back].join(' → ')
  const named = places.map((at) => `routeRules[${at}]`).join(' and ')
  const message = `must not form a redirect loop: ${loopPath}, by ${named}`
  return { at: loop.at, part: 'to', value: rules[loop.at]?.to ?? '', message, code: 'LOOP' }
}
