import { type NavigateOptions, type RegisteredRouter, redirect } from '@tanstack/react-router'
import type { redirectWithNotice } from '~/platform/navigation/guards'
import type { FileRoutesByTo } from '~/routeTree.gen'

declare const away: typeof redirectWithNotice
type Link<To extends string> = NavigateOptions<RegisteredRouter, string, To>
declare const navigate: <To extends string>(link: Link<To>) => void

type Page = Exclude<keyof FileRoutesByTo, `/api/${string}` | `${string}.${string}`>

/** What is written for a part of a link, without the forms that keep or change the present one. */
type Written<Part> = Exclude<Part, true | undefined | ((...given: never[]) => unknown)>

/**
 * The parameters that a type accepts with a value of any type, and `string` where it accepts any.
 */
type Loose<Params> = string extends keyof Params
  ? string
  : { [Name in keyof Params]-?: symbol extends Params[Name] ? Name : never }[keyof Params]

/** The names in a path: `code` of `/products/$code`. */
type Names<Path> = Path extends `${string}$${infer Name}/${infer Rest}`
  ? Name | Names<Rest>
  : Path extends `${string}$${infer Name}`
    ? Name
    : never

type PathFault<To extends Page> = [Names<To>] extends [never]
  ? never
  : Link<To> extends { params: infer Params }
    ? [keyof Written<Params>, Names<To>] extends [Names<To>, keyof Written<Params>]
      ? Loose<Written<Params>>
      : 'other names than the path'
    : 'no names needed'

type Fault<To extends Page> = PathFault<To> | Loose<Written<Link<To>['search']>>

type FaultyPages = { [To in Page as [Fault<To>] extends [never] ? never : To]: Fault<To> }

/**
 * The pages whose links accept a parameter that they do not have, one with a value of another type,
 * or a path without its names. `tsc` fails where there is any, and names it.
 */
export const faultyPages: FaultyPages = {}

/** The parameters of a page are known. */
export const known: [keyof Written<Link<'/notices'>['search']>, keyof Written<Link<'/notices/$id'>['params']>] = [
  'page',
  'id',
]

/** Such faults are found. */
export const found: [Loose<{ page?: unknown }>, Loose<Record<string, string>>, Names<'/a/$b/c/$d'>][] = [
  ['page', 'nonsense', 'b'],
  ['page', 'nonsense', 'd'],
]

/** Not of the type of any parameter. */
const wrong = Symbol('wrong')

/** Links that must not compile. */
export const wrongLinks = () => {
  // @ts-expect-error
  navigate({ to: '/', search: { nonsense: 1 } })
  // @ts-expect-error
  navigate({ to: '/faq', search: { q: wrong } })
  // @ts-expect-error
  navigate({ to: '/mypages/inquiries/$code' })
  // @ts-expect-error
  navigate({ to: '/mypages/inquiries/$code', params: { nonsense: 'a' } })
  // @ts-expect-error
  navigate({ to: '/mypages/inquiries/$code', params: { code: wrong } })
}

export const wrongPaths = () => {
  // @ts-expect-error
  navigate({ to: '/nonsense' })
  // @ts-expect-error
  navigate({ to: '/mypages/nonsense' })
  // @ts-expect-error
  navigate({ to: '/products/$id', params: { id: 'a' } })
  // @ts-expect-error
  redirect({ to: '/nonsense' })
  // @ts-expect-error
  redirect({ to: '/faq', search: { page: 'two' } })
  // @ts-expect-error
  away('/nonsense', 'PLAN_NEEDED')
  // @ts-expect-error
  away('/plans', 'NONSENSE')
}

/** Links that must compile, so that the ones above fail for what is wrong with them. */
export const rightLinks = () => {
  navigate({ to: '/products', search: { page: 2, kind: ['VOD'], sort: 'duration,ASC' } })
  navigate({ to: '/products/$code', params: { code: 'a' } })
  navigate({ to: '/mypages/order-histories', search: { page: 2, from: '2026-01-01' } })
  navigate({ to: '/pages/$type', params: { type: 'terms' } })
  navigate({ to: '/login', search: { redirect: '/carts' } })
  redirect({ to: '/faq', search: { q: 'refund' } })
  away('/plans', 'PLAN_NEEDED')
}
