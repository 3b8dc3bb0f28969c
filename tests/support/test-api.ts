import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { type Logger, pino } from 'pino'
import { afterAll, inject } from 'vitest'
import { type Api, createApi, type PageApi } from '#api/app.ts'
import { createDeps, type Deps, type DepsOptions } from '#api/deps.ts'
import { customerBase, headers as headerNames } from '#contract/http.ts'
import type { Problem } from '#contract/problem.ts'
import { type Contract, contract } from '#contract/procedures/contract.ts'
import { createTestClock } from './test-clock.ts'

export type Client = ContractRouterClient<Contract>

interface Caller {
  token?: string | undefined
  guestToken?: string | undefined
  idempotencyKey?: string
  headers?: Record<string, string>
  onAnswer?: (response: Response) => void
  /**
   * Sends its requests to the API; by default each one separately. That of a page reads without
   * HTTP, as the storefront does.
   */
  fetch?: ((request: Request) => Promise<Response>) & Partial<Pick<PageApi, 'read'>>
}

/** The payload of a failed call, as the wire has it. */
class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly problem: Problem
  constructor(status: number, problem: Problem) {
    super(`${status} ${problem.code}: ${JSON.stringify(problem.errors)}`)
    this.status = status
    this.problem = problem
  }
}

export interface TestApi extends Api {
  deps: Deps
  clock: ReturnType<typeof createTestClock>
  /** A connection without policies, to arrange and to check rows. */
  owner: NodePgDatabase
  origin: string
  client: (customerCode: string, caller?: Caller) => Client
}

interface TestApiOptions
  extends Partial<
    Pick<
      DepsOptions['config'],
      'mediaStorage' | 'mediaAccel' | 'mail' | 'productIndexMemory' | 'replica' | 'nameServers'
    >
  > {
  trustedProxies?: string[]
  log?: Logger
  /** A database other than the run's. */
  database?: { url: string; ownerUrl: string; jobsUrl?: string }
}

export const origin = 'http://store.test'

/** The clients of an API, called without a socket. */
export const clientsOf =
  ({ fetch }: Pick<Api, 'fetch'>): TestApi['client'] =>
  (customerCode, caller = {}) => {
    const headers = () => ({
      ...(caller.token && { authorization: `Bearer ${caller.token}` }),
      ...(caller.guestToken && { [headerNames.guestToken]: caller.guestToken }),
      ...(caller.idempotencyKey && { [headerNames.idempotencyKey]: caller.idempotencyKey }),
      ...caller.headers,
    })
    const link = new OpenAPILink(contract, {
      url: origin + customerBase(customerCode),
      headers,
      fetch: async (request) => {
        const response = await (caller.fetch ?? fetch)(request)
        caller.onAnswer?.(response)
        if (!response.ok) throw new ApiError(response.status, (await response.json()) as Problem)
        return response
      },
    })
    return createORPCClient({
      call: async (path, input, options) => {
        const sent = { customerCode, path, input, headers: new Headers(headers()), origin }
        const answer = await caller.fetch?.read?.(sent)
        if (!answer) return link.call(path, input, options)
        if ('problem' in answer) throw new ApiError(answer.status, answer.problem)
        return answer.output
      },
    })
  }

/** Fails statements that a cluster refuses: they set the tenant, even to the same one. */
const refuseSettingTenant = (client: pg.PoolClient) => {
  // Statements are measured at the client; other tests observe them at the prototype.
  const measured = Object.hasOwn(client, 'query') ? client.query : undefined
  Object.assign(client, {
    query: (...given: unknown[]) => {
      const [first] = given
      const text = typeof first === 'string' ? first : ((first as { text?: string } | undefined)?.text ?? '')
      const [set = ''] = /^update .*?(?: where |$)/is.exec(text) ?? []
      if (/(?: set|,) "?customer_id"? =/i.test(set)) throw new Error(`A cluster refuses to set the tenant: ${text}`)
      return Reflect.apply(measured ?? pg.Client.prototype.query, client, given)
    },
  })
}

/**
 * The real API over the run's PostgreSQL, called without a socket. Closed after the file's last
 * test.
 */
export const createTestApi = (options: TestApiOptions = {}): TestApi => {
  const database = options.database ?? inject('database')
  const clock = createTestClock()
  const dataFolder = mkdtempSync(join(tmpdir(), 'marquee-api-'))
  const deps = createDeps({
    databaseUrl: database.url,
    ownerUrl: database.ownerUrl,
    jobsDatabaseUrl: database.jobsUrl,
    secret: 'a-secret-for-tests-that-is-long-enough',
    config: {
      production: false,
      dataFolder,
      logLevel: 'silent',
      databasePoolSize: 24,
      publicUrl: null,
      trustedProxies: options.trustedProxies ?? [],
      mediaStorage: options.mediaStorage ?? null,
      mediaAccel: options.mediaAccel ?? null,
      ...(options.productIndexMemory !== undefined && { productIndexMemory: options.productIndexMemory }),
      replica: options.replica ?? null,
      ...(options.mail && { mail: options.mail }),
      // A test asks no name server of the machine.
      nameServers: options.nameServers ?? ['127.0.0.1:9'],
    },
    clock,
    log: options.log ?? pino({ level: process.env.LOG_LEVEL ?? 'silent' }),
  })
  deps.pool.on('connect', refuseSettingTenant)
  const ownerPool = new pg.Pool({ connectionString: database.ownerUrl, max: 4 })
  // Some tests stop the database.
  ownerPool.on('error', () => {})
  const api = createApi(deps)
  const client = clientsOf(api)

  afterAll(async () => {
    await deps[Symbol.asyncDispose]()
    await ownerPool.end()
    await rm(dataFolder, { recursive: true, force: true })
  })
  return { ...api, deps, clock, owner: drizzle(ownerPool), origin, client }
}

/** The error of a failed call; a call that succeeds fails the test. */
export const failureOf = async (
  call: Promise<unknown>,
): Promise<{ status: number; code: string; problem: Problem }> => {
  const outcome = await call.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  )
  if ('answer' in outcome) throw new Error(`Expected a failure, got ${JSON.stringify(outcome.answer)}`)
  if (!(outcome.error instanceof ApiError)) throw outcome.error
  const { status, problem } = outcome.error
  return { status, code: problem.code, problem }
}
