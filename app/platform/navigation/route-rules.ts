import { isRuleTarget } from '#contract/route-rules.ts'
import type { RouteRule, SiteSettings } from '#contract/tenancy.ts'

export interface RuleRedirect {
  href: string
  external: boolean
  statusCode: 301 | 302
}

/**
 * Where the tenant's own rules send a path: `:name` matches one segment, a trailing `:name*` the rest, and both can be
 * used in the target. A target on another origin counts only when the tenant's allow-list has that origin. The search goes along;
 * where the target has a parameter of the same name, that one stays.
 */
export function ruleRedirect(
  pathname: string,
  settings: Pick<SiteSettings, 'routeRules' | 'redirectOrigins'>,
  search = '',
): RuleRedirect | undefined {
  for (const rule of settings.routeRules) {
    const captured = match(rule.from, pathname)
    if (!captured) continue
    const redirect = resolve(rule, captured, settings.redirectOrigins)
    if (redirect && redirect.href !== pathname) return { ...redirect, href: withSearch(redirect.href, search) }
  }
  return undefined
}

function match(pattern: string, pathname: string): Map<string, string> | undefined {
  const wanted = pattern.split('/')
  const given = pathname.split('/')
  const captured = new Map<string, string>()
  for (const [at, part] of wanted.entries()) {
    if (part.startsWith(':') && part.endsWith('*')) {
      captured.set(part.slice(1, -1), given.slice(at).join('/'))
      return captured
    }
    const segment = given[at]
    if (segment === undefined) return undefined
    if (part.startsWith(':')) {
      if (!segment) return undefined
      captured.set(part.slice(1), segment)
    } else if (part !== segment) return undefined
  }
  return wanted.length === given.length ? captured : undefined
}

function resolve(rule: RouteRule, captured: Map<string, string>, allowed: readonly string[]): RuleRedirect | undefined {
  const href = rule.to.replaceAll(/:(\w+)\*?/g, (word, name: string) => captured.get(name) ?? word)
  const statusCode = rule.permanent ? 301 : 302
  // Asked again for what came of it: a captured part may make another address of a path.
  return isRuleTarget(href, allowed) ? { href, external: !href.startsWith('/'), statusCode } : undefined
}

function withSearch(href: string, search: string): string {
  const [, target = '', own = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(href) ?? []
  const params = new URLSearchParams(own)
  const kept = new Set(params.keys())
  const added = [...new URLSearchParams(search)].filter(([name]) => !kept.has(name))
  if (added.length === 0) return href
  for (const [name, value] of added) params.append(name, value)
  return `${target}?${params}${hash}`
}
