import { storefrontPath } from './rules.ts'
import type { RouteRule, SiteSettings } from './tenancy.ts'

/**
 * Whether a redirect rule may target an address: a path of the store, or an origin on the store's
 * list.
 */
export function isRuleTarget(to: string, redirectOrigins: readonly string[]): boolean {
  if (to.startsWith('/')) return storefrontPath.test(to)
  if (!URL.canParse(to)) return false
  const { origin, protocol } = new URL(to)
  return (protocol === 'https:' || protocol === 'http:') && redirectOrigins.includes(origin)
}

/** Normalizes a path as the router does: single slashes, none at the end. */
export function trimSlashes(path: string): string {
  const trimmed = path.replace(/\/{2,}/g, '/')
  return trimmed.length > 1 && trimmed.endsWith('/') ? trimmed.slice(0, -1) : trimmed
}

/** Decodes the letters of a path; one with a wrong encoding stays as it is. */
export function decode(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** Returns the path of an address. */
export const withoutSearch = (href: string): string => href.replace(/[?#].*/s, '')

/**
 * Returns a key of an address. The router shows the same page for the same key, because it ignores
 * the search and decodes letters.
 */
export const pathKey = (href: string): string => decode(trimSlashes(withoutSearch(href)))

/** A rule with its split pattern. */
export interface SplitRule {
  at: number
  rule: RouteRule
  segments: string[]
}

export const splitRules = (rules: readonly RouteRule[]): SplitRule[] =>
  rules.map((rule, at) => ({ at, rule, segments: decode(trimSlashes(rule.from)).split('/') }))

/** Returns the values of the names of a pattern that fits a path; undefined if it does not fit. */
export function match(
  pattern: readonly string[],
  segments: readonly string[],
  decoded: readonly string[],
): Map<string, string> | undefined {
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
    } else if (part !== segment && part !== decoded[at]) return undefined
  }
  return pattern.length === segments.length ? captured : undefined
}

/**
 * Returns the first rule that redirects a path to another address, and that address. `:name`
 * matches one segment, a trailing `:name*` the rest, and both can be used in the target. Returns
 * undefined if no rule matches.
 */
function applyRouteRules(
  pathname: string,
  rules: readonly RouteRule[],
  redirectOrigins: readonly string[],
): { at: number; rule: RouteRule; href: string } | undefined {
  return applySplitRules(pathname, splitRules(rules), redirectOrigins)
}

/** As `applyRouteRules`, with rules that are split already. */
export function applySplitRules(pathname: string, rules: readonly SplitRule[], redirectOrigins: readonly string[]) {
  const requested = trimSlashes(pathname).split('/')
  const key = decode(requested.join('/'))
  const decoded = requested.map(decode)
  for (const { at, rule, segments } of rules) {
    const captured = match(segments, requested, decoded)
    if (!captured) continue
    const href = rule.to.replaceAll(/:(\w+)\*?/g, (word, name: string) => captured.get(name) ?? word)
    // Checks the result again, because a captured part may turn a path into another address.
    if (pathKey(href) !== key && isRuleTarget(href, redirectOrigins)) return { at, rule, href }
  }
  return undefined
}

interface RuleRedirect {
  href: string
  external: boolean
  statusCode: 301 | 302
}

/**
 * Applies the tenant's route rules to a path: `:name` matches one segment, a trailing `:name*` the
 * rest, and both can be used in the target. A target on another origin must be in the tenant's
 * allow-list. Search parameters are passed on unless the target has one of the same name.
 * @returns undefined if no rule matches
 */
export function ruleRedirect(
  pathname: string,
  settings: Pick<SiteSettings, 'routeRules' | 'redirectOrigins'>,
  search = '',
): RuleRedirect | undefined {
  const redirection = applyRouteRules(pathname, settings.routeRules, settings.redirectOrigins)
  if (!redirection) return undefined
  const { rule, href } = redirection
  return { href: withSearch(href, search), external: !href.startsWith('/'), statusCode: rule.permanent ? 301 : 302 }
}

function withSearch(href: string, search: string): string {
  const [, target = '', ownSearch = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(href) ?? []
  const params = new URLSearchParams(ownSearch)
  const ownNames = new Set(params.keys())
  const added = [...new URLSearchParams(search)].filter(([name]) => !ownNames.has(name))
  if (added.length === 0) return href
  for (const [name, value] of added) params.append(name, value)
  return `${target}?${params}${hash}`
}
