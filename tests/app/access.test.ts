import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isOpenToGuests, openToGuests, type RouteAccess, routeAccess } from '~/platform/navigation/access'

/** Every page of the route tree with the access that the layout around it grants. */
function pagesOfTheTree(): Record<string, RouteAccess> {
  const tree = readFileSync('app/routeTree.gen.ts', 'utf8')
  const ids = [...(/interface FileRoutesById \{([^}]*)\}/.exec(tree)?.[1] ?? '').matchAll(/'([^']+)': typeof/g)]
  const pages = ids.map(([, id = '']) => id).filter((id, _, all) => !all.some((other) => other.startsWith(`${id}/`)))
  const shown = pages.filter((id) => !id.startsWith('/api/') && !/\.\w+$/.test(id))
  return Object.fromEntries(
    shown.map((id) => {
      const path = id.replace(/\/_(member|guest)/, '').replaceAll(/(\w)_(?=\/)/g, '$1')
      const access = id.startsWith('/_member') ? 'members' : id.startsWith('/_guest') ? 'guests' : 'all'
      return [path.length > 1 ? path.replace(/\/$/, '') : path || '/', access]
    }),
  )
}

describe('access', () => {
  it('the table and the layouts say the same of every page', () => {
    expect(pagesOfTheTree()).toEqual(routeAccess)
  })

  it('a store for members only has nine exceptions', () => expect(openToGuests).toHaveLength(9))

  it.each(['/login', '/reset-password', '/join/input', '/pages/terms', '/notices', '/notices/1', '/faq'])(
    'a store for members only leaves %s open',
    (path) => expect(isOpenToGuests(path)).toBe(true),
  )

  it.each(['/', '/products', '/faq/more', '/noticesx', '/join', '/loginx'])(
    'a store for members only closes %s',
    (path) => expect(isOpenToGuests(path)).toBe(false),
  )
})
