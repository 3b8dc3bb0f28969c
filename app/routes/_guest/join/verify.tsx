import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createFileRoute } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import type { VerifyOutcome } from '~/features/identity/join/join-fields'
import { checkJoinFlow } from '~/features/identity/join/join-flow'
import { handleVerifyForm } from '~/features/identity/join/join-form.server'
import { JoinSteps } from '~/features/identity/join/ui/join-steps'
import { VerifyForm as VerifyFormNow } from '~/features/identity/join/ui/verify-form'
import { safeReturnPath } from '~/platform/address'
import { pageHead } from '~/platform/document/head'
import { hydratedLater, inSuspense } from '~/platform/hydration-boundary'
import { withMessages } from '~/platform/i18n/i18n'
import { answerOrShow } from '~/platform/request/form-post'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'
import { FormPage } from '~/site/form-page'

export const Route = createFileRoute('/_guest/join/verify')({
  server: {
    middleware: [requestContextMiddleware],
    handlers: {
      POST: async ({ request, context, next }) =>
        answerOrShow(await handleVerifyForm(request, context.requestContext), next),
    },
  },
  beforeLoad: checkJoinFlow('/join/verify'),
  loader: ({ serverContext }): { outcome: VerifyOutcome | null } => ({ outcome: serverContext?.outcome ?? null }),
  head: ({ match }) => pageHead(match.context, { title: msg`Confirm your email`, noindex: true }),
  headers: () => ({ 'cache-control': 'private, no-store' }),
  component: JoinVerify,
})

function JoinVerify() {
  const { outcome } = Route.useLoaderData()
  const { step } = Route.useRouteContext()
  const { redirect } = Route.useSearch()
  return (
    <FormPage above={<JoinSteps current="verify" />} title={<Trans>Confirm your email</Trans>}>
      {step && <VerifyForm step={step} outcome={outcome} redirect={safeReturnPath(redirect)} />}
    </FormPage>
  )
}

const VerifyForm = createIsomorphicFn()
  .server(() => inSuspense(VerifyFormNow))
  .client(() =>
    hydratedLater(() =>
      withMessages(import('~/features/identity/join/ui/verify-form')).then((part) => part.VerifyForm),
    ),
  )()
