import { OpenAPIHandler } from '@orpc/openapi/fetch'
import { implement } from '@orpc/server'
import type pg from 'pg'
import { asProblem, problemResponse, refuseUnstorable, withOwnMessages } from '#api/platform/http/problems.ts'
import { implementProcedures } from '#api/platform/http/procedures.ts'
import { negotiateLanguage } from '#contract/accept-language.ts'
import { locale } from '#contract/enumerations.ts'
import { apiBase } from '#contract/http.ts'
import { installation } from '#contract/procedures/contract.ts'
import { findCustomerCodeByHost, plainHost } from './tenancy.queries.ts'

const os = implementProcedures()

export const contractProcedures = {
  contract: os.tenancy.contract.handler(({ context: { customer, preview, hostCustomerCode } }) => ({
    useCustomer: customer.useCustomer,
    useSite: customer.useSite,
    opened: customer.opened,
    preview,
    hostCustomerCode,
    version: customer.version,
  })),
}

interface InstallationContext {
  deps: { pool: pg.Pool }
  acceptLanguage: string | null
}

const installationRouter = implement(installation).$context<InstallationContext>()

const router = installationRouter.router({
  resolveTenant: installationRouter.resolveTenant.handler(async ({ input, context }) => {
    return { customerCode: await findCustomerCodeByHost(context.deps.pool, plainHost(input.host)) }
  }),
})

/** The paths of these procedures, below /api/v1. */
export const installationPaths = Object.values(installation).map(({ '~orpc': { route } }) => route.path ?? '/')

/** Handles procedures that do not belong to a tenant. */
export const createInstallationHandler = (deps: InstallationContext['deps']) => {
  const handler = new OpenAPIHandler<InstallationContext>(router, {
    clientInterceptors: [
      async ({ next, context, input }) => {
        const language = negotiateLanguage(context.acceptLanguage, locale.options, 'en')
        refuseUnstorable(input, language)
        try {
          return await next()
        } catch (error) {
          throw withOwnMessages(error, language)
        }
      },
    ],
  })
  return async (request: Request, requestId: string): Promise<Response> => {
    const context = { deps, acceptLanguage: request.headers.get('accept-language') }
    const { matched, response } = await handler.handle(request, { prefix: apiBase, context })
    if (!matched) return problemResponse('NOT_FOUND', requestId)
    if (response.status >= 400) return asProblem(response, requestId)
    response.headers.set('cache-control', 'no-cache')
    return response
  }
}
