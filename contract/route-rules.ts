import { storefrontPath } from './rules.ts'
import type { RouteRule } from './tenancy.ts'

const names = (text: string): string[] => [...text.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** Whether a redirect rule may lead to an address: a path of the store, or an address whose origin is on the store's list. */
function isRuleTarget(to: string, redirectOrigins: readonly string[]): boolean {
  if (to.startsWith('/')) return storefrontPath.test(to)
  if (!URL.canParse(to)) return false
  const { origin, protocol } = new URL(to)
  return (protocol === 'https:' || protocol === 'http:') && redirectOrigins.includes(origin)
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

/**
 * The first rule that leads a path to another address, and that address: `:name` matches one segment, a trailing `:name*` the rest,
 * and both can be used in the target. Undefined where no rule does.
 */
export function applyRouteRules(
  pathname: string,
  rules: readonly RouteRule[],
  redirectOrigins: readonly string[],
): { at: number; rule: RouteRule; href: string } | undefined {
  for (const [at, rule] of rules.entries()) {
    const captured = match(rule.from, pathname)
    if (!captured) continue
    const href = rule.to.replaceAll(/:(\w+)\*?/g, (word, name: string) => captured.get(name) ?? word)
    // Asked again for what came of it: a captured part may make another address of a path.
    if (href !== pathname && isRuleTarget(href, redirectOrigins)) return { at, rule, href }
  }
  return undefined
}

/** Browsers give up after as many redirects. */
const mostRedirects = 20

/** The rules that redirect a path for ever, by their places, with the addresses it passes; undefined where the path arrives. */
function circleFrom(path: string, rules: readonly RouteRule[], redirectOrigins: readonly string[]) {
  const passed: { at: number; path: string }[] = []
  let current = path
  while (passed.length < mostRedirects) {
    const next = applyRouteRules(current, rules, redirectOrigins)
    if (!next?.href.startsWith('/')) return undefined
    passed.push({ at: next.at, path: current })
    current = next.href.replace(/[?#].*/, '')
    const before = passed.findIndex((one) => one.path === current)
    if (before >= 0) return { passed: passed.slice(before), back: current }
  }
  return { passed: passed.slice(-3), back: current }
}

/** Looks for a circle from where each rule begins, its names filled with a word of their own and with the words of all rules. */
function findCircle(rules: readonly RouteRule[], redirectOrigins: readonly string[]) {
  const literals = new Set(rules.flatMap(({ from }) => from.split('/').filter((part) => part && !part.startsWith(':'))))
  for (const [at, { from }] of rules.entries())
    for (const word of /:\w/.test(from) ? ['any', ...literals] : ['']) {
      const circle = circleFrom(from.replaceAll(/:\w+\*?/g, word), rules, redirectOrigins)
      if (circle?.passed.some((one) => one.at === at)) return circle
    }
  return undefined
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
  const circle = findCircle(rules, redirectOrigins)
  if (!circle) return undefined
  const places = [...new Set(circle.passed.map(({ at }) => at))]
  const way = [...circle.passed.map(({ path }) => path), circle.back].join(' → ')
  const named = places.map((at) => `routeRules[${at}]`).join(' and ')
  const right = `must not lead in a circle: ${way}, by ${named}`
  return { at: places[0]!, part: 'to', value: rules[places[0]!]!.to, right }
}
