import { OpenAPIHandler } from '@orpc/openapi/fetch'
import { implement } from '@orpc/server'
import type pg from 'pg'
import type { Customer } from '#api/platform/context.ts'
import {
  asProblem,
  problemRequest,
  problemResponse,
  refuseUnstorable,
  withOwnMessages,
} from '#api/platform/http/problems.ts'
import {
  detachedCtx,
  implementProcedures,
  operatorName,
  type ProcedureContext,
  transact,
  transactAsOperator,
  unwrap,
} from '#api/platform/http/procedures.ts'
import { negotiateLanguage } from '#contract/accept-language.ts'
import { locale } from '#contract/enumerations.ts'
import { apiBase } from '#contract/http.ts'
import { installation } from '#contract/procedures/contract.ts'
import { findCustomerCodeByHost } from './domains.queries.ts'
import { addDomain, checkDomain, type DomainDeps, removeDomain, setMainDomain, viewDomains } from './domains.ts'
import { plainHost } from './tenancy.queries.ts'

const os = implementProcedures()

/** A time that has passed is no promise any more. */
const maintenanceOf = ({ opened, maintenance }: Customer, now: Date) =>
  !opened && maintenance && { maintenance: { ...maintenance, backAt: laterThan(now, maintenance.backAt) } }

const laterThan = (now: Date, iso: string | null) => (iso !== null && Date.parse(iso) > now.getTime() ? iso : null)

export const contractProcedures = {
  contract: os.tenancy.contract.handler(({ context: { deps, customer, preview, previewAt, hostCustomerCode } }) => ({
    useCustomer: customer.useCustomer,
    useSite: customer.useSite,
    opened: customer.opened,
    ...maintenanceOf(customer, deps.clock.now()),
    ...(customer.isInstallation && { isInstallation: true }),
    preview,
    ...(previewAt && { previewAt: previewAt.toISOString() }),
    hostCustomerCode,
    version: customer.version,
  })),
}

const domainOs = implementProcedures<DomainDeps>().admin.domains

const listDomains = (context: ProcedureContext<DomainDeps>) =>
  transact(context, (ctx) => viewDomains(ctx, context.deps))

const check = async (context: ProcedureContext<DomainDeps>, host: string) =>
  unwrap(await checkDomain(detachedCtx(context), operatorName(context), host, context.deps))

export const domainProcedures = {
  list: domainOs.list.handler(({ context }) => listDomains(context)),
  add: domainOs.add.handler(async ({ context, input }) => {
    await check(context, await transactAsOperator(context, (ctx, by) => addDomain(ctx, by, input.host, context.deps)))
    return listDomains(context)
  }),
  check: domainOs.check.handler(async ({ context, input }) => {
    await check(context, input.host)
    return listDomains(context)
  }),
  setMain: domainOs.setMain.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => setMainDomain(ctx, by, input.host, context.deps))
    return listDomains(context)
  }),
  remove: domainOs.remove.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => removeDomain(ctx, by, input.host))
    return listDomains(context)
  }),
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
    const caller = problemRequest(request, requestId)
    const context = { deps, acceptLanguage: request.headers.get('accept-language') }
    const { matched, response } = await handler.handle(request, { prefix: apiBase, context })
    if (!matched) return problemResponse('NOT_FOUND', caller)
    if (response.status >= 400) return asProblem(response, caller)
    response.headers.set('cache-control', 'no-cache')
    return response
  }
}
