import { OpenAPIHandler } from '@orpc/openapi/fetch'
import { implement } from '@orpc/server'
import { findCustomerCodeByHost, plainHost } from '#api/db/queries/customers.ts'
import type { Deps } from '#api/deps.ts'
import { negotiateLanguage } from '#contract/accept-language.ts'
import { locale } from '#contract/enumerations.ts'
import { apiBase, installation } from '#contract/index.ts'
import { problemResponse } from './problem.ts'
import { inOurWords, refuseUnstorable } from './validation.ts'
import { asProblem } from './wire-problem.ts'

interface InstallationContext {
  deps: Deps
  acceptLanguage: string | null
}

const os = implement(installation).$context<InstallationContext>()

const router = os.router({
  resolveTenant: os.resolveTenant.handler(async ({ input, context }) => {
    return { customerCode: await findCustomerCodeByHost(context.deps.pool, plainHost(input.host)) }
  }),
})

/** Answers the calls that belong to no tenant. */
export const createInstallationHandler = (deps: Deps) => {
  const handler = new OpenAPIHandler<InstallationContext>(router, {
    clientInterceptors: [
      async ({ next, context, input }) => {
        const language = negotiateLanguage(context.acceptLanguage, locale.options, 'en')
        refuseUnstorable(input, language)
        try {
          return await next()
        } catch (error) {
          throw inOurWords(error, language)
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
