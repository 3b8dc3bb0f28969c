import { storefrontPath } from './rules.ts'
import type { RouteRule } from './tenancy.ts'

const names = (text: string): string[] => [...text.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** Whether a redirect rule may lead to an address: a path of the store, or an address whose origin is on the store's list. */
export function isRuleTarget(to: string, redirectOrigins: readonly string[]): boolean {
  if (to.startsWith('/')) return storefrontPath.test(to)
  if (!URL.canParse(to)) return false
  const { origin, protocol } = new URL(to)
  return (protocol === 'https:' || protocol === 'http:') && redirectOrigins.includes(origin)
}

/** What would be right in place of a part of the rules that cannot be; undefined where all can. */
export function routeRuleProblem(
  rules: readonly RouteRule[],
  redirectOrigins: readonly string[],
): { at: number; part: 'from' | 'to'; value: string; right: string } | undefined {
  for (const [at, { from, to }] of rules.entries()) {
    const wrong = (part: 'from' | 'to', right: string) => ({ at, part, value: part === 'from' ? from : to, right })
    if (!storefrontPath.test(from) || /[?#]/.test(from))
      return wrong('from', 'must be a path of the store without ? and #, for example /old/:code')
    if (/\*./.test(from.replaceAll(/:\w+\*$/g, '')) || /:\w+\*(?!$)/.test(from))
      return wrong('from', 'may have `*` only after its last name, for example /old/:rest*')
    if (!isRuleTarget(to, redirectOrigins))
      return wrong(
        'to',
        'must be a path of the store, for example /products/:code, or an address whose origin is in redirectOrigins',
      )
    const unknown = names(to.replace(/^https?:\/\/[^/]*/, '')).find((name) => !names(from).includes(name))
    if (unknown !== undefined) return wrong('to', `must use names of "from" only: there is no :${unknown} in it`)
    if (from === to) return wrong('to', 'must be another path than "from"')
  }
  return undefined
}
