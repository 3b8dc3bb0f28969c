import { createORPCClient, ORPCError } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { createContext, useContext } from 'react'
import { apiBase, customerBase, headers } from '#contract/http.ts'
import type { CustomerCode } from '#contract/ids.ts'
import { problem } from '#contract/problem.ts'
import { adminProcedures } from '#contract/procedures/admin.ts'
import { staffProcedures } from '#contract/procedures/staff.ts'
import { installationProcedures, tenancyProcedures } from '#contract/procedures/tenancy.ts'
import { i18n } from './i18n'

interface CallOptions {
  /** The version of the changed object: the API refuses the write where another was faster. */
  ifMatch?: string
}

/** The parts of the contract that the console uses. The schemas of the others are not loaded. */
const contract = {
  admin: adminProcedures,
  staff: staffProcedures,
  tenancy: tenancyProcedures,
}

export type ConsoleApi = ContractRouterClient<typeof contract, CallOptions>

/** Milliseconds until a call is given up. */
const timeout = 15_000

const send = (request: Request, init: object) =>
  fetch(request, {
    ...init,
    credentials: 'same-origin',
    cache: 'no-store',
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeout)]),
  })

const decodeProblem = (body: unknown, { status }: { status: number }) => {
  const payload = problem.safeParse(body)
  return payload.success
    ? new ORPCError(payload.data.code, { status, message: payload.data.message, data: payload.data })
    : undefined
}

/** The typed client of one store's API, with the session's cookie. */
export const createConsoleApi = (store: CustomerCode): ConsoleApi =>
  createORPCClient(
    new OpenAPILink<CallOptions>(contract, {
      url: location.origin + customerBase(store),
      headers: ({ context }) => ({
        accept: 'application/json',
        'accept-language': i18n.locale,
        [headers.console]: '1',
        ...(context.ifMatch && { 'if-match': `"${context.ifMatch}"` }),
      }),
      fetch: send,
      customErrorResponseBodyDecoder: decodeProblem,
    }),
  )

/** The store of this host; null where it has none. */
export const findStore = async (): Promise<CustomerCode | null> => {
  const client: ContractRouterClient<typeof installationProcedures> = createORPCClient(
    new OpenAPILink(installationProcedures, {
      url: location.origin + apiBase,
      fetch: send,
      customErrorResponseBodyDecoder: decodeProblem,
    }),
  )
  return (await client.resolveTenant({ host: location.host })).customerCode
}

export const ApiContext = createContext<ConsoleApi | null>(null)

/** @throws {Error} outside the store that the console shows */
export const useApi = (): ConsoleApi => {
  const api = useContext(ApiContext)
  if (!api) throw new Error('There is no API above this component')
  return api
}
