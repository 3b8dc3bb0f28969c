import { storefrontPath } from './rules.ts'
import type { RouteRule } from './tenancy.ts'

const names = (text: string): string[] => [...text.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/**
 * Whether a redirect rule may target an address: a path of the store, or an origin on the store's
 * list.
 */
function isRuleTarget(to: string, redirectOrigins: readonly string[]): boolean {
  if (to.startsWith('/')) return storefrontPath.test(to)
  if (!URL.canParse(to)) return false
  const { origin, protocol } = new URL(to)
  return (protocol === 'https:' || protocol === 'http:') && redirectOrigins.includes(origin)
}

/** Normalizes a path as the router does: single slashes, none at the end. */
function trimSlashes(path: string): string {
  const trimmed = path.replace(/\/{2,}/g, '/')
  return trimmed.length > 1 && trimmed.endsWith('/') ? trimmed.slice(0, -1) : trimmed
}

function decode(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

const withoutSearch = (href: string): string => href.replace(/[?#].*/s, '')

/**
 * Returns a key of an address. The router shows the same page for the same key, because it ignores
 * the search and decodes letters.
 */
const pathKey = (href: string): string => decode(trimSlashes(withoutSearch(href)))

/** A rule with its split pattern. */
interface SplitRule {
  at: number
  rule: RouteRule
  segments: string[]
}

const splitRules = (rules: readonly RouteRule[]): SplitRule[] =>
  rules.map((rule, at) => ({ at, rule, segments: decode(trimSlashes(rule.from)).split('/') }))

function match(pattern: readonly string[], segments: readonly string[]): Map<string, string> | undefined {
  const captured = new Map<string, string>()
  for (const [at, part] of pattern.entries()) {
    if (part.startsWith(':') && part.endsWith('*')) {
      captured.set(part.slice(1, -1), segments.slice(at).join('/'))
      return captured
    }
    const segment = segments[at]
    if (segment === undefined) return undefined
    if (part.startsWith(':')) {
      if (!segment) return undefined
      captured.set(part.slice(1), segment)
    } else if (part !== segment && part !== decode(segment)) return undefined
  }
  return pattern.length === segments.length ? captured : undefined
}

/**
 * Returns the first rule that redirects a path to another address, and that address. `:name`
 * matches one segment, a trailing `:name*` the rest, and both can be used in the target. Returns
 * undefined if no rule matches.
 */
export function applyRouteRules(
  pathname: string,
  rules: readonly RouteRule[],
  redirectOrigins: readonly string[],
): { at: number; rule: RouteRule; href: string } | undefined {
  return applySplitRules(pathname, splitRules(rules), redirectOrigins)
}

function applySplitRules(pathname: string, rules: readonly SplitRule[], redirectOrigins: readonly string[]) {
  const requested = trimSlashes(pathname).split('/')
  const key = decode(requested.join('/'))
  for (const { at, rule, segments } of rules) {
    const captured = match(segments, requested)
    if (!captured) continue
    const href = rule.to.replaceAll(/:(\w+)\*?/g, (word, name: string) => captured.get(name) ?? word)
    // Checks the result again, because a captured part may turn a path into another address.
    if (pathKey(href) !== key && isRuleTarget(href, redirectOrigins)) return { at, rule, href }
  }
  return undefined
}

/** Browsers stop after this many redirects. */
const maxRedirects = 20

/** The input of the search for redirect loops. */
interface Redirects {
  /** The rules that can match a path with this first segment, in their order. */
  rulesFor: (firstSegment: string) => readonly SplitRule[]
  redirectOrigins: readonly string[]
  /** Hosts of the store, whose URLs are matched against the rules again. */
  ownHosts: readonly string[]
}

/** Returns the path of an address inside the store; undefined for another host. */
function pathInStore(href: string, ownHosts: readonly string[]): string | undefined {
  if (href.startsWith('/')) return href
  const url = new URL(href)
  return ownHosts.includes(url.host) ? url.pathname : undefined
}

/**
 * Returns the indexes of rules that form a redirect loop and the addresses of the loop; undefined
 * if there is none.
 */
function redirectLoopFrom(path: string, { rulesFor, redirectOrigins, ownHosts }: Redirects) {
  const passed: { at: number; path: string }[] = []
  let current = path
  while (passed.length < maxRedirects) {
    const first = decode(current.split('/')[1] ?? '')
    const next = applySplitRules(current, rulesFor(first), redirectOrigins)
    const target = next && pathInStore(next.href, ownHosts)
    if (!target) return undefined
    passed.push({ at: next.at, path: current })
    current = trimSlashes(withoutSearch(target))
    const key = pathKey(current)
    const before = passed.findIndex((address) => pathKey(address.path) === key)
    if (before >= 0) return { passed: passed.slice(before), back: current }
  }
  return { passed: passed.slice(-3), back: current }
}

/**
 * Searches a loop from each rule. Replaces its names by a unique value and by the segments of all
 * rules.
 */
function findRedirectLoop(
  rules: readonly RouteRule[],
  redirectOrigins: readonly string[],
  ownHosts: readonly string[],
) {
  const split = splitRules(rules)
  const byFirst = new Map<string, SplitRule[]>()
  const rulesFor = (first: string) => {
    const cached = byFirst.get(first)
    if (cached) return cached
    const matching = split.filter(({ segments: [, own = ''] }) => own === first || own.startsWith(':'))
    byFirst.set(first, matching)
    return matching
  }
  const literals = new Set(split.flatMap(({ segments }) => segments.filter((part) => part && !part.startsWith(':'))))
  for (const { at, rule } of split)
    for (const word of /:\w/.test(rule.from) ? ['any', ...literals] : ['']) {
      const start = trimSlashes(rule.from.replaceAll(/:\w+\*?/g, word))
      const loop = redirectLoopFrom(start, { rulesFor, redirectOrigins, ownHosts })
      if (loop?.passed.some((address) => address.at === at)) return { ...loop, at, rule }
    }
  return undefined
}

/** The pages without which nobody signs in or buys. Anything else of a store may lead elsewhere. */
const neededPages = new Set(['', 'cart', 'join', 'login', 'mypages', 'payments', 'plans', 'products'])

const isNeeded = (from: string) => {
  const [, first = '', ...others] = decode(trimSlashes(from)).split('/')
  return others.length === 0 && neededPages.has(first)
}

/** What is wrong with a part of the rules. */
export interface RouteRuleProblem {
  at: number
  part: 'from' | 'to'
  value: string
  message: string
  /** Faults of the rules together; absent for an address that is wrong by itself. */
  code?: 'DUPLICATE' | 'NEEDED_PAGE' | 'LOOP'
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
  const patterns = new Map<string, number>()
  for (const [at, { from, to }] of rules.entries()) {
    const wrong = (part: 'from' | 'to', message: string) => ({ at, part, value: part === 'from' ? from : to, message })
    if (!storefrontPath.test(from) || /[?#]/.test(from))
      return wrong('from', 'must be a path of the store without ? and #, for example /old/:code')
    if (/\*./.test(from.replaceAll(/:\w+\*$/g, '')) || /:\w+\*(?!$)/.test(from))
      return wrong('from', 'may contain `*` only after its last name, for example /old/:rest*')
    if (!isRuleTarget(to, redirectOrigins))
      return wrong(
        'to',
        'must be a path of the store, for example /products/:code, or a URL whose origin is in redirectOrigins',
      )
    const pattern = decode(trimSlashes(from))
    const same = patterns.get(pattern)
    if (same !== undefined) {
      const problem = wrong('from', `must be another path: routeRules[${same}] has it already`)
      return { ...problem, code: 'DUPLICATE' }
    }
    patterns.set(pattern, at)
    if (isNeeded(from)) {
      const problem = wrong('from', 'must not be a page that visitors need to sign in or to buy')
      return { ...problem, code: 'NEEDED_PAGE' }
    }
    const unknown = names(to.replace(/^https?:\/\/[^/]*/, '')).find((name) => !names(from).includes(name))
    if (unknown !== undefined) return wrong('to', `may use only the names of "from", which has no :${unknown}`)
    if (pathKey(from) === pathKey(pathInStore(to, ownHosts) ?? to))
      return { ...wrong('to', 'must not be the same path as "from"'), code: 'LOOP' }
  }
  const loop = findRedirectLoop(rules, redirectOrigins, ownHosts)
  if (!loop) return undefined
  const places = [...new Set(loop.passed.map(({ at }) => at))]
  const loopPath = [...loop.passed.map(({ path }) => path), loop.back].join(' → ')
  const named = places.map((at) => `routeRules[${at}]`).join(' and ')
  const message = `must not form a redirect loop: ${loopPath}, by ${named}`
  return { at: loop.at, part: 'to', value: loop.rule.to, message, code: 'LOOP' }
}
