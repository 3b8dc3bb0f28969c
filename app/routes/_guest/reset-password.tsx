import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createFileRoute } from '@tanstack/react-router'
import { confirmAccessKey } from '~/features/reset/reset.functions'
import { resetSearch } from '~/features/reset/reset.search'
import type { ResetAttempt } from '~/features/reset/reset-attempt'
import { receiveResetForm } from '~/features/reset/reset-form.server'
import { ResetForm } from '~/features/reset/ui/reset-form'
import { ResetRequestForm } from '~/features/reset/ui/reset-request-form'
import { pageHead } from '~/platform/document/head'
import { rememberedEmail } from '~/platform/forms/credentials'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'
import { FormPage } from '~/site/form-page'

export const Route = createFileRoute('/_guest/reset-password')({
  validateSearch: resetSearch,
  server: {
    middleware: [requestContextMiddleware],
    handlers: {
      POST: async ({ request, context, next }) => {
        const outcome = await receiveResetForm(request, context.requestContext)
        return outcome instanceof Response ? outcome : next({ context: { attempt: outcome } })
      },
    },
  },
  beforeLoad: confirmAccessKey,
  loader: ({ serverContext }): { attempt: ResetAttempt | null } => ({ attempt: serverContext?.attempt ?? null }),
  head: ({ match }) => pageHead(match.context, { title: msg`Reset password`, noindex: true }),
  headers: () => ({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' }),
  component: ResetPassword,
})

function ResetPassword() {
  const { opening } = Route.useRouteContext()
  const { attempt } = Route.useLoaderData()
  const { key } = Route.useSearch()
  if (opening.state === 'open' && key !== undefined) {
    return (
      <FormPage
        title={<Trans>Choose a new password</Trans>}
        text={
          <Trans>
            For <b dir="ltr">{opening.email}</b>
          </Trans>
        }
      >
        <ResetForm accessKey={key} email={opening.email} attempt={attempt} />
      </FormPage>
    )
  }
  return (
    <FormPage
      title={opening.state === 'expired' ? <Trans>This link has expired</Trans> : <Trans>Forgot your password?</Trans>}
      text={
        opening.state === 'expired' ? (
          <Trans>Links expire after 10 minutes and work only once. You can request a new one.</Trans>
        ) : undefined
      }
    >
      <ResetRequestForm email={rememberedEmail.get()} attempt={attempt} />
    </FormPage>
  )
}
