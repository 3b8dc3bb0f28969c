import { createORPCClient, ORPCError } from '@orpc/client'
import type { AnyContractRouter, ContractRouterClient } from '@orpc/contract'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { createContext, useContext, useMemo } from 'react'
import { apiBase, customerBase, headers } from '#contract/http.ts'
import type { CustomerCode } from '#contract/ids.ts'
import { staffProcedures } from '#contract/procedures/staff.ts'
import { installationProcedures, tenancyProcedures } from '#contract/procedures/tenancy.ts'
import { isProblem } from './failure'
import { i18n } from './i18n'

interface CallOptions {
  /** The version of the changed object: the API refuses the write where another was faster. */
  ifMatch?: string
  /** The API does a write with the same key once. */
  idempotencyKey?: string
  /** Milliseconds until the call is given up, where it takes longer than others. */
  timeout?: number
}

/**
 * The parts of the contract that the first script holds. Pages load the others themselves: see
 * `useClient`.
 */
const contract = {
  staff: staffProcedures,
  tenancy: tenancyProcedures,
}

export type ConsoleApi = ContractRouterClient<typeof contract, CallOptions>

/** Milliseconds until a call is given up. One that sends a file may have a slow connection. */
const usualTimeout = 15_000
const fileTimeout = 5 * 60_000

const timeoutOf = (request: Request) =>
  request.headers.get('content-type')?.startsWith('multipart/form-data') ? fileTimeout : usualTimeout

const send = (request: Request, init: object, timeout = timeoutOf(request)) =>
  fetch(request, {
    ...init,
    credentials: 'same-origin',
    cache: 'no-store',
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeout)]),
  })

const decodeProblem = (body: unknown, { status }: { status: number }) =>
  isProblem(body) ? new ORPCError(body.code, { status, message: body.message, data: body }) : undefined

/** The typed client of procedures of one store, with the session's cookie. */
const createClient = <Procedures extends AnyContractRouter>(
  store: CustomerCode,
  procedures: Procedures,
): ContractRouterClient<Procedures, CallOptions> =>
  createORPCClient(
    new OpenAPILink<CallOptions>(procedures, {
      url: location.origin + customerBase(store),
      headers: ({ context }) => ({
        accept: 'application/json',
        'accept-language': i18n.locale,
        [headers.console]: '1',
        ...(context.ifMatch && { 'if-match': `"${context.ifMatch}"` }),
        ...(context.idempotencyKey && { [headers.idempotencyKey]: context.idempotencyKey }),
      }),
      fetch: (request, init, { context }) => send(request, init, context.timeout),
      customErrorResponseBodyDecoder: decodeProblem,
    }),
  )

/** The store of this host; null if it has none. */
export const findStore = async (): Promise<CustomerCode | null> => {
  const client: ContractRouterClient<typeof installationProcedures> = createORPCClient(
    new OpenAPILink(installationProcedures, {
      url: location.origin + apiBase,
      fetch: (request, init) => send(request, init),
      customErrorResponseBodyDecoder: decodeProblem,
    }),
  )
  return (await client.resolveTenant({ host: location.host })).customerCode
}

interface ConsoleStore {
  code: CustomerCode
  api: ConsoleApi
}

export const consoleStore = (code: CustomerCode): ConsoleStore => ({ code, api: createClient(code, contract) })

export const StoreContext = createContext<ConsoleStore | null>(null)

/** @throws {Error} outside the store that the console shows */
const useStore = (): ConsoleStore => {
  const store = useContext(StoreContext)
  if (!store) throw new Error('There is no store above this component')
  return store
}

/** @throws {Error} outside the store that the console shows */
export const useApi = (): ConsoleApi => useStore().api

/** @throws {Error} outside the store that the console shows */
export const useStoreCode = (): CustomerCode => useStore().code

/**
 * The client of procedures that a page loads itself.
 *
 * @throws {Error} outside the store that the console shows
 */
export const useClient = <Procedures extends AnyContractRouter>(procedures: Procedures) => {
  const { code } = useStore()
  return useMemo(() => createClient(code, procedures), [code, procedures])
}
