import type { AnyRoute } from '@tanstack/react-router'
import { withoutPrefix } from '~/platform/i18n/locales'

interface Pattern {
  name: string
  /** Undefined is a parameter. */
  segments: (string | undefined)[]
}

const segmentsOf = (path: string) => path.split('/').filter(Boolean)

function patternsBelow(route: AnyRoute, base = ''): Pattern[] {
  // A route of the layout has no path.
  const own = 'path' in route.options && typeof route.options.path === 'string' ? route.options.path : ''
  const path = [...segmentsOf(base), ...segmentsOf(own)].join('/')
  const children: AnyRoute[] = Object.values(route.children ?? {})
  if (children.length > 0) return children.flatMap((child) => patternsBelow(child, path))
  const segments = segmentsOf(path).map((segment) => (segment.startsWith('$') ? undefined : segment))
  return [{ name: `/${path.replace(/\$(\w+)/g, '{$1}')}`, segments }]
}

/**
 * Names the route of a path by its pattern (`/products/{code}`), for logs. The route of a language
 * prefix is the route without it. Undefined where no route matches.
 */
export function createRouteNames(routeTree: AnyRoute): (path: string) => string | undefined {
  const patterns = patternsBelow(routeTree)
  const literals = ({ segments }: Pattern) => segments.filter((segment) => segment !== undefined).length
  patterns.sort((a, b) => literals(b) - literals(a))
  const byLength = Map.groupBy(patterns, ({ segments }) => segments.length)
  return (path) => {
    const wanted = segmentsOf(withoutPrefix(path))
    const found = byLength
      .get(wanted.length)
      ?.find(({ segments }) => segments.every((segment, index) => segment === undefined || segment === wanted[index]))
    return found?.name
  }
}
