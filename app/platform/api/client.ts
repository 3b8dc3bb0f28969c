import { createORPCClient, ORPCError } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { customerBase, headers as headerNames } from '#contract/http.ts'
import { type Problem as ProblemPayload, problem as problemPayload } from '#contract/problem.ts'
import { type Contract, contract, installation } from '#contract/procedures/contract.ts'
import { urlOf } from '#contract/request-url.ts'
import { requestTimeout } from '~/platform/constants'
import type { Problem } from './problem'

/**
 * The storefront's only access to the back end: a function that answers a `Request` below
 * /api/v1. In one process it is the API itself, otherwise HTTP to `API_URL`.
 */
export interface ApiBinding {
  (request: Request): Promise<Response>
  /** Calls a procedure that reads, where the API is in this process. Undefined for others. */
  read?: (call: DirectCall) => Promise<DirectAnswer> | undefined
}

/** A call of the API in this process. */
interface DirectCall {
  customerCode: string
  /** The name of the procedure in the contract, such as `['catalog', 'product']`. */
  path: readonly string[]
  input: unknown
  headers: Headers
  /** The storefront's origin. */
  origin: string
}

type DirectAnswer = { headers: Headers } & ({ output: unknown } | { status: number; problem: ProblemPayload })

/** Bindings whose requests are aborted when nobody waits for them. Joined signals cost time. */
const abortedBindings = new WeakSet<ApiBinding>()

/** Reaches the API over HTTP. `base` is its origin, for example `http://127.0.0.1:3001`. */
export function apiOverHttp(base: string): ApiBinding {
  const origin = new URL(base).origin
  const binding: ApiBinding = (request) => {
    const url = urlOf(request)
    const target = new Request(`${origin}${url.pathname}${url.search}`, request)
    target.headers.set('x-forwarded-host', url.host)
    target.headers.set('x-forwarded-proto', url.protocol.slice(0, -1))
    return fetch(target, { redirect: 'manual' })
  }
  abortedBindings.add(binding)
  return binding
}

/**
 * Options of one call. Writes that move money carry an idempotency key, so that a retry has effect
 * once.
 */
interface CallOptions {
  idempotencyKey?: string
}

export type CustomerApi = ContractRouterClient<Contract, CallOptions>
export type InstallationApi = ContractRouterClient<typeof installation>

/** The sender of a request, as far as the API must know. */
export interface Caller {
  api: ApiBinding
  origin: string
  requestId: string
  clientAddress: string | undefined
  /** Shown in the member's list of sessions. */
  userAgent?: string | undefined
  token: string | undefined
  guestToken: string | undefined
  /** Proves which accounts have signed in on this device. */
  deviceToken?: string | undefined
  /** The token of a preview link: shows the store before it opens, with its drafts. */
  previewToken?: string | undefined
  locale?: string | undefined
  /** Called when the API has issued a guest token, to store it. */
  onGuestToken?: (token: string) => void
  /** Called after a sign-in, to store the token that makes this device known to the account. */
  onDeviceToken?: (token: string) => void
}

/** The typed client of one tenant's API. */
export function createCustomerApi(customerCode: string, caller: Caller): CustomerApi {
  let link: OpenAPILink<CallOptions> | undefined
  const linkOf = () => {
    link ??= new OpenAPILink<CallOptions>(contract, {
      url: caller.origin + customerBase(customerCode),
      headers: ({ context }) => headersOf(caller, context),
      fetch: (request) => send(request, caller),
      customErrorResponseBodyDecoder: decodeProblem,
    })
    return link
  }
  return createORPCClient<CustomerApi>({
    call: (path, input, options) =>
      readDirectly({ customerCode, path, input }, caller) ?? linkOf().call(path, input, options),
  })
}

/**
 * Calls a procedure that reads without HTTP. It answers, and fails, as over HTTP. Undefined for
 * other procedures, and where the API is elsewhere.
 */
function readDirectly(
  call: Pick<DirectCall, 'customerCode' | 'path' | 'input'>,
  caller: Caller,
): Promise<unknown> | undefined {
  const headers = new Headers(headersOf(caller, {}))
  const answer = caller.api.read?.({ ...call, headers, origin: caller.origin })
  return answer && inTime(answer).then((found) => outputOf(found, caller))
}

function outputOf(answer: DirectAnswer, caller: Caller): unknown {
  storeTokens(answer.headers, caller)
  if ('output' in answer) return asJson(answer.output)
  const { code, message } = answer.problem
  throw new ORPCError(code, { status: answer.status, message, data: answer.problem })
}

/** Leaves out what JSON leaves out. Returns the same object where there is nothing of it. */
function asJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const list = value.map(asJson)
    return list.some((entry, at) => entry !== value[at]) ? list : value
  }
  const entries = Object.entries(value).map(([name, entry]) => [name, entry, asJson(entry)] as const)
  if (entries.every(([, entry, json]) => entry === json && json !== undefined)) return value
  return Object.fromEntries(entries.flatMap(([name, , json]) => (json === undefined ? [] : [[name, json]])))
}

/**
 * Sends a request to the API without parsing its body or its response, for files. Paths are those
 * of the contract, such as `/inquiries/files`.
 */
export type ApiProxy = (path: string, init?: RequestInit & { duplex?: 'half' }) => Promise<Response>

/** The proxy for one caller. */
export const createApiProxy =
  (customerCode: string, caller: Caller): ApiProxy =>
  (path, init = {}) => {
    const headers = new Headers(init.headers)
    for (const [name, value] of Object.entries(headersOf(caller, {}))) if (name !== 'accept') headers.set(name, value)
    return caller.api(new Request(caller.origin + customerBase(customerCode) + path, { ...init, headers }))
  }

/** The typed client of the procedures that are not scoped to a tenant. */
export function createInstallationApi(caller: Caller): InstallationApi {
  const link = new OpenAPILink(installation, {
    url: `${caller.origin}/api/v1`,
    headers: () => headersOf(caller, {}),
    fetch: (request) => send(request, caller),
    customErrorResponseBodyDecoder: decodeProblem,
  })
  return createORPCClient(link)
}

function headersOf(caller: Caller, { idempotencyKey }: CallOptions): Record<string, string> {
  return {
    accept: 'application/json',
    'x-requested-with': 'XMLHttpRequest',
    [headerNames.requestId]: caller.requestId,
    [headerNames.storeHost]: new URL(caller.origin).host,
    ...(caller.locale && { 'accept-language': caller.locale }),
    ...(caller.userAgent && { 'user-agent': caller.userAgent }),
    ...(caller.clientAddress && { 'x-forwarded-for': caller.clientAddress }),
    ...(caller.token && { authorization: `Bearer ${caller.token}` }),
    ...(caller.guestToken && { [headerNames.guestToken]: caller.guestToken }),
    ...(caller.deviceToken && { [headerNames.deviceToken]: caller.deviceToken }),
    ...(caller.previewToken && { [headerNames.previewToken]: caller.previewToken }),
    ...(idempotencyKey && { [headerNames.idempotencyKey]: idempotencyKey }),
  }
}

async function send(request: Request, caller: Caller): Promise<Response> {
  const timeout = new AbortController()
  const signal = abortedBindings.has(caller.api) && AbortSignal.any([request.signal, timeout.signal])
  const sent = new Request(request, { credentials: 'include', ...(signal && { signal }) })
  const response = await inTime(caller.api(sent), timeout)
  storeTokens(response.headers, caller)
  return response
}

/** Waits for an answer. @throws ORPCError TIMEOUT after ten seconds, and aborts then */
async function inTime<Answer>(answer: Promise<Answer>, aborting?: AbortController): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new ORPCError('TIMEOUT', { status: 504, message: 'The request timed out.' })
      aborting?.abort(error)
      reject(error)
    }, requestTimeout)
  })
  try {
    return await Promise.race([answer, timedOut])
  } finally {
    clearTimeout(timer)
  }
}

function storeTokens(headers: Headers, caller: Caller): void {
  const guestToken = headers.get(headerNames.guestToken)
  if (guestToken && guestToken !== caller.guestToken) caller.onGuestToken?.(guestToken)
  const device = headers.get(headerNames.deviceToken)
  if (device) caller.onDeviceToken?.(device)
}

function decodeProblem(body: unknown, { status }: { status: number }) {
  const payload = problemPayload.safeParse(body)
  return payload.success
    ? new ORPCError(payload.data.code, { status, message: payload.data.message, data: payload.data })
    : undefined
}

/** Returns the problem behind an error that the client threw, undefined for an unexpected error. */
export function problemFromError(error: unknown, requestId: string): Problem | undefined {
  if (!(error instanceof ORPCError)) return undefined
  const payload = problemPayload.safeParse(error.data)
  if (payload.success) {
    const { data, ...rest } = payload.data
    return { ...rest, status: error.status, ...(typeof data === 'object' && data !== null ? { data } : {}) }
  }
  return { status: error.status, code: String(error.code), message: error.message, errors: {}, requestId }
}
