import { applyRouteRules } from '#contract/route-rules.ts'
import type { SiteSettings } from '#contract/tenancy.ts'

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
  const found = applyRouteRules(pathname, settings.routeRules, settings.redirectOrigins)
  if (!found) return undefined
  const { rule, href } = found
  return { href: withSearch(href, search), external: !href.startsWith('/'), statusCode: rule.permanent ? 301 : 302 }
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
