import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createFileRoute } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import * as z from 'zod/mini'
import { handleResetForm } from '~/features/identity/account/sign-in-forms.server'
import { confirmAccessKey, type ResetOutcome } from '~/features/identity/reset/reset.functions'
import { ResetForm as ResetFormNow } from '~/features/identity/reset/ui/reset-form'
import { ResetRequestForm as ResetRequestFormNow } from '~/features/identity/reset/ui/reset-request-form'
import { pageHead } from '~/platform/document/head'
import { rememberedEmail } from '~/platform/forms/credentials'
import { hydratedLater, inSuspense } from '~/platform/hydration-boundary'
import { withMessages } from '~/platform/i18n/i18n'
import { searchSchema } from '~/platform/navigation/search-schema'
import { answerOrShow } from '~/platform/request/form-post'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'
import { FormPage } from '~/site/form-page'

/** `key` is the access key of the mail. */
const resetSearch = searchSchema({ key: z.string().check(z.maxLength(200)) })

export const Route = createFileRoute('/_guest/reset-password')({
  validateSearch: resetSearch,
  server: {
    middleware: [requestContextMiddleware],
    handlers: {
      POST: async ({ request, context, next }) =>
        answerOrShow(await handleResetForm(request, context.requestContext), next),
    },
  },
  beforeLoad: confirmAccessKey,
  loader: ({ serverContext }): { outcome: ResetOutcome | null } => ({ outcome: serverContext?.outcome ?? null }),
  head: ({ match }) => pageHead(match.context, { title: msg`Reset password`, noindex: true }),
  headers: () => ({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' }),
  component: ResetPassword,
})

function ResetPassword() {
  const { accessKey } = Route.useRouteContext()
  const { outcome } = Route.useLoaderData()
  const { key } = Route.useSearch()
  if (accessKey.state === 'valid' && key !== undefined) {
    return (
      <FormPage
        title={accessKey.needsConsents ? <Trans>Choose a password</Trans> : <Trans>Choose a new password</Trans>}
        text={
          <Trans>
            For <b dir="ltr">{accessKey.email}</b>
          </Trans>
        }
      >
        <ResetForm accessKey={key} email={accessKey.email} needsConsents={accessKey.needsConsents} outcome={outcome} />
      </FormPage>
    )
  }
  return (
    <FormPage
      title={
        accessKey.state === 'expired' ? <Trans>This link has expired</Trans> : <Trans>Forgot your password?</Trans>
      }
      text={
        accessKey.state === 'expired' ? (
          <Trans>Links expire and work only once. You can request a new one.</Trans>
        ) : undefined
      }
    >
      <ResetRequestForm email={rememberedEmail.get()} outcome={outcome} />
    </FormPage>
  )
}

const ResetForm = createIsomorphicFn()
  .server(() => inSuspense(ResetFormNow))
  .client(() =>
    hydratedLater(() => withMessages(import('~/features/identity/reset/ui/reset-form')).then((part) => part.ResetForm)),
  )()

const ResetRequestForm = createIsomorphicFn()
  .server(() => inSuspense(ResetRequestFormNow))
  .client(() =>
    hydratedLater(() =>
      withMessages(import('~/features/identity/reset/ui/reset-request-form')).then((part) => part.ResetRequestForm),
    ),
  )()
