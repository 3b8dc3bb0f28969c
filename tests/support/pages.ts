import { readFileSync } from 'node:fs'

/**
 * Who may open a page.
 * - `all`: anyone. `guests`: only who is not signed in. `members`: only who is.
 */
type PageAccess = 'all' | 'guests' | 'members'

/**
 * What else must hold before a page opens, in this order.
 * - `plan`: the store has plans. `unsubscribed`: the member pays for no plan yet. `subscribed`: a
 * plan of theirs is live.
 */
type PageCheck = 'plan' | 'unsubscribed' | 'subscribed'

export interface PageRule {
  access: PageAccess
  checks: PageCheck[]
}

const checkOf: Record<string, PageCheck> = {
  _planned: 'plan',
  _unsubscribed: 'unsubscribed',
  _subscribed: 'subscribed',
}

const tree = readFileSync('app/routeTree.gen.ts', 'utf8')
const ids = [...(/interface FileRoutesById \{([^}]*)\}/.exec(tree)?.[1] ?? '').matchAll(/'([^']+)': typeof/g)]
  .map(([, id = '']) => id)
  .filter((id, _, all) => !all.some((other) => other.startsWith(`${id}/`)))
  .filter((id) => !id.startsWith('/api/') && !/\.\w+$/.test(id))

const pathOf = (segments: string[]) =>
  segments
    .filter((segment) => !segment.startsWith('_'))
    .join('/')
    .replaceAll(/(\w)_(?=\/)/g, '$1')
    .replace(/(.)\/$/, '$1') || '/'

/**
 * Every page of the route tree with the access that the layouts around it grant, and the checks
 * they make.
 */
export const pageRules: Record<string, PageRule> = Object.fromEntries(
  ids.map((id) => {
    const segments = id.split('/')
    const access = segments.includes('_member') ? 'members' : segments.includes('_guest') ? 'guests' : 'all'
    return [pathOf(segments), { access, checks: segments.flatMap((segment) => checkOf[segment] ?? []) }]
  }),
)
