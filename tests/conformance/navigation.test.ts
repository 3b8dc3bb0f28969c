import { QueryClient } from '@tanstack/react-query'
import { isRedirect, type ParsedLocation } from '@tanstack/react-router'
import { afterEach, expect, test, vi } from 'vitest'
import type { Me } from '#contract/identity.ts'
import type { RouteRule } from '#contract/tenancy.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { isOpenToGuests, rootGuard } from '~/platform/navigation/root-guard'
import { eventually } from '../support/eventually.ts'

afterEach(() => vi.unstubAllGlobals())

interface Loads {
  contract?: Promise<unknown>
  'site-settings'?: Promise<unknown>
  me?: Promise<unknown>
  categories?: Promise<unknown>
}
type Load = keyof Loads

const never = new Promise<never>(() => {})
const failed = () => Promise.reject(new Error('This could not be loaded.'))
const open = Promise.resolve({
  useCustomer: true,
  useSite: true,
  opened: true,
  preview: false,
  hostCustomerCode: null,
  version: 1,
})
const expired = Promise.resolve({
  useCustomer: false,
  useSite: true,
  opened: true,
  preview: false,
  hostCustomerCode: null,
  version: 1,
})

const settingsWith = (useLogin: boolean, routeRules: RouteRule[] = []) => {
  const settings = plainSettings()
  settings.operation.useLogin = useLogin
  settings.routeRules = routeRules
  settings.redirectOrigins = ['https://help.example.com']
  return Promise.resolve(settings)
}

/** A query cache whose answers are given, one by one. */
class GivenAnswers extends QueryClient {
  readonly loads: Required<Loads>

  constructor(given: Loads) {
    super()
    this.loads = {
      contract: open,
      'site-settings': settingsWith(false),
      me: Promise.resolve(null),
      categories: Promise.resolve({ items: [] }),
      ...given,
    }
  }

  override ensureQueryData(options: { queryKey: unknown }) {
    return this.loads[(options.queryKey as [Load])[0]] as never
  }
}

const go = (pathname: string, given: Loads = {}, routeFound = true) =>
  rootGuard({
    queryClient: new GivenAnswers(given),
    location: { pathname, href: pathname, publicHref: pathname, searchStr: '' } as ParsedLocation,
    routeFound,
    inLanguage: (path) => path,
    preload: false,
  })

/** Where a navigation is sent instead; undefined where it goes on. */
const redirectOf = async (navigation: Promise<void>) => {
  try {
    await navigation
  } catch (thrown) {
    if (isRedirect(thrown)) return thrown.options
    throw thrown
  }
}

/** What the page asks of its own server, in the browser. */
const inThePage = () => {
  const fetched = vi.fn(async (_address: string) => new Response())
  vi.stubGlobal('window', {})
  vi.stubGlobal('fetch', fetched)
  return fetched
}
const cancelled = ['/api/cancel-approval', expect.anything()]

test('§2 On every navigation, in this order: contract, settings, user, categories', async () => {
  const order: Load[] = ['contract', 'site-settings', 'me', 'categories']
  const settled: Load[] = []
  const watched = (load: Load, answer: Promise<unknown>) =>
    new Proxy(answer, {
      get: (target, property) => {
        const method = Reflect.get(target, property)
        if (typeof method !== 'function') return method
        // The first handler only keeps an early failure quiet; the second one waits for it.
        return (...handlers: unknown[]) => {
          settled.push(load)
          return method.apply(target, handlers)
        }
      },
    })
  const answers = new GivenAnswers({}).loads
  await go('/products', Object.fromEntries(order.map((load) => [load, watched(load, answers[load])])))
  expect(settled).toEqual([...order, ...order])
})

test('§2 Navigation: route validation first', async () => {
  const membersOnly = { 'site-settings': settingsWith(true) }
  expect(await redirectOf(go('/products', membersOnly))).toMatchObject({ to: '/login' })
  expect(await redirectOf(go('/no/such/page', membersOnly, false))).toBeUndefined()
  // A closed store shows its closed page on every path, whether a page stands there or not.
  for (const isFound of [true, false])
    expect(await redirectOf(go('/no/such/page', { contract: expired }, isFound))).toMatchObject({
      to: '/customer/contract-expired',
    })
})

test('§2 Navigation: customer contract check before the site settings', async () => {
  const answers = { contract: expired, 'site-settings': never }
  expect(await redirectOf(go('/products', answers))).toMatchObject({ to: '/customer/contract-expired' })
})

test('§2 Navigation: site settings load before the user', async () => {
  const fetched = inThePage()
  await expect(go('/products', { 'site-settings': failed(), me: failed() })).rejects.toThrow('could not be loaded')
  expect(fetched).not.toHaveBeenCalled()
})

test('§2 Navigation: user load before the categories', async () => {
  const fetched = inThePage()
  void go('/products', { me: failed(), categories: never })
  await eventually(() => expect(fetched.mock.calls).toEqual([cancelled]))
})

test('§2 Navigation: categories load before the login-required check', async () => {
  const { promise: categories, resolve } = Promise.withResolvers<unknown>()
  const steps: string[] = []
  const navigation = redirectOf(go('/products', { 'site-settings': settingsWith(true), categories }))
  const ended = navigation.then(() => steps.push('login'))
  // Everything that does not wait for the categories is done by the next turn of the event loop.
  await new Promise(setImmediate)
  steps.push('categories')
  resolve({ items: [] })
  await ended
  expect(steps).toEqual(['categories', 'login'])
})

const away = { from: '/old', to: '/products', permanent: false }

test('§2 Navigation: login-required check before the route rules', async () => {
  const answers = { 'site-settings': settingsWith(true, [away]) }
  expect(await redirectOf(go('/old', answers))).toMatchObject({ to: '/login', search: { redirect: '/old' } })
})

test('§2 Navigation: route-rule redirect last', async () => {
  const member = Promise.resolve({ name: 'Mina Park' } as Me)
  const answers = { 'site-settings': settingsWith(true, [away]), me: member }
  expect(await redirectOf(go('/old', answers))).toMatchObject({ href: '/products', reloadDocument: false })
})

test('§2 Navigation: an external redirect leaves the app', async () => {
  const out = { from: '/help', to: 'https://help.example.com/start', permanent: false }
  const answers = { 'site-settings': settingsWith(false, [out]) }
  expect(await redirectOf(go('/help', answers))).toMatchObject({ href: out.to, reloadDocument: true })
})

test('§4 If the contract fails to load, approval is cancelled', async () => {
  const fetched = inThePage()
  await expect(go('/products', { contract: failed() })).rejects.toThrow('could not be loaded')
  expect(fetched.mock.calls).toEqual([cancelled])
})

test('§6 When operation.useLogin is on, every page redirects guests to /login', async () => {
  for (const path of ['/', '/products', '/products/a-film', '/videos', '/carts', '/mypages']) {
    expect(await redirectOf(go(path, { 'site-settings': settingsWith(true) })), path).toMatchObject({ to: '/login' })
    expect(await redirectOf(go(path, { 'site-settings': settingsWith(false) })), path).toBeUndefined()
  }
})

test('§6 except the two customer status pages', () => {
  expect(['/customer/site-disabled', '/customer/contract-expired'].filter(isOpenToGuests)).toHaveLength(2)
  expect(isOpenToGuests('/customer')).toBe(false)
})
