import { traverseContractProcedures } from '@orpc/server'
import type { Access, CallMeta } from '#contract/calls/call.ts'
import { contract } from '#contract/index.ts'
import type { OperatorScope } from '#contract/operators.ts'

export interface RouteOfCall {
  name: string
  method: string
  pattern: RegExp
  /** More literal segments first: `/products/options` before `/products/{id}`. */
  weight: number
  access: Access
  /** Calls of operators: what the token must be allowed to do. */
  scope: OperatorScope | null
}

/** Every call's method, address and access, read from the contract once. */
const routes: RouteOfCall[] = []
traverseContractProcedures({ router: contract, path: [] }, ({ contract: call, path }) => {
  const { method = 'GET', path: address = '/' } = call['~orpc'].route
  const { access, scope = null } = call['~orpc'].meta as CallMeta
  routes.push({
    name: path.join('.'),
    method,
    pattern: new RegExp(`^${address.replace(/\{[^}]+\}/g, '[^/]+')}/?$`),
    weight: address.split('/').filter((part) => !part.startsWith('{')).length,
    access,
    scope,
  })
})
routes.sort((a, b) => b.weight - a.weight)

/** The call behind a method and a path below the customer's base; or the methods the path does know. */
export const findRoute = (method: string, path: string): RouteOfCall | { allow: string[] } | null => {
  const there = routes.filter((route) => route.pattern.test(path))
  return (
    there.find((route) => route.method === method) ??
    (there.length > 0 ? { allow: [...new Set(there.map((route) => route.method))] } : null)
  )
}
