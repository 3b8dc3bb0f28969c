import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import type { Me, Profile } from '#contract/identity.ts'
import { problemFromError } from '~/platform/api/client'
import { methodNotAllowed, problemResponse } from '~/platform/api/problem'
import { createI18n } from '~/platform/i18n/i18n'
import { yesOrNo } from '~/platform/labels'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'
import { isSameOrigin } from '~/platform/request/request-origin'

/** All stored data of the member, as a download. A plain link, which works without JavaScript. */
export const Route = createFileRoute('/api/my-data')({
  server: {
    middleware: [requestContextMiddleware],
    handlers: {
      GET: async ({ request, context }) => {
        const { requestContext } = context
        const { requestId } = requestContext
        if (!isSameOrigin(request)) {
          const message = 'Only this store’s own pages may ask for this.'
          return problemResponse(403, { code: 'FORBIDDEN', message, requestId })
        }
        try {
          const { identity } = requestContext.api
          const [me, profile, exported, i18n] = await Promise.all([
            identity.me(),
            identity.profile(),
            identity.exportMe(),
            createI18n(requestContext.locale),
          ])
          const data = { summary: summaryOf(me, profile, i18n), ...exported }
          return new Response(JSON.stringify(data, null, 2), {
            headers: {
              'content-type': 'application/json; charset=utf-8',
              'content-disposition': `attachment; filename="my-data-${requestContext.customerCode}.json"`,
              'cache-control': 'private, no-store',
            },
          })
        } catch (error) {
          const problem = problemFromError(error, requestId)
          if (!problem) throw error
          return problemResponse(problem.status, problem)
        }
      },
      ANY: methodNotAllowed('GET'),
    },
  },
})

/** A readable summary in the member's language. The other data are for programs. */
const summaryOf = ({ usePlan }: Me, { email, name, phone, marketing }: Profile, i18n: I18n) => ({
  [i18n._(msg`Email`)]: email,
  [i18n._(msg`Name`)]: name,
  [i18n._(msg`Phone`)]: phone ?? '',
  [i18n._(msg`Consent to marketing emails`)]: i18n._(yesOrNo(marketing)),
  [i18n._(msg`Subscription`)]: i18n._(yesOrNo(usePlan.regular)),
  [i18n._(msg`Partnership`)]: i18n._(yesOrNo(usePlan.partnership)),
})
