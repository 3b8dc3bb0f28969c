import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createFileRoute, Link } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import type { Cart } from '#contract/orders.ts'
import type { JoinOutcome } from '~/features/identity/join/join-fields'
import { checkJoinFlow } from '~/features/identity/join/join-flow'
import { handleJoinForm } from '~/features/identity/join/join-form.server'
import { JoinForm as JoinFormNow } from '~/features/identity/join/ui/join-form'
import { JoinSteps } from '~/features/identity/join/ui/join-steps'
import { loadGuestCart } from '~/features/orders/cart/cart.functions'
import { GuestCart } from '~/features/orders/cart/ui/guest-cart'
import { safeReturnPath } from '~/platform/address'
import { pageHead } from '~/platform/document/head'
import { hydratedLater, inSuspense } from '~/platform/hydration-boundary'
import { withMessages } from '~/platform/i18n/i18n'
import { answerOrShow } from '~/platform/request/form-post'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'
import { FormPage } from '~/site/form-page'

export const Route = createFileRoute('/_guest/join/input')({
  server: {
    middleware: [requestContextMiddleware],
    handlers: {
      POST: async ({ request, context, next }) =>
        answerOrShow(await handleJoinForm(request, context.requestContext), next),
    },
  },
  beforeLoad: checkJoinFlow('/join/input'),
  loaderDeps: ({ search: { redirect } }) => ({ redirect }),
  loader: async ({ serverContext, context, deps }): Promise<{ outcome: JoinOutcome | null; cart: Cart | null }> => ({
    outcome: serverContext?.outcome ?? null,
    cart: await loadGuestCart(context.queryClient, safeReturnPath(deps.redirect)),
  }),
  head: ({ match }) => pageHead(match.context, { title: msg`Sign up` }),
  headers: () => ({ 'cache-control': 'private, no-store' }),
  component: JoinInput,
})

function JoinInput() {
  const { outcome, cart } = Route.useLoaderData()
  const { redirect } = Route.useSearch()
  const back = safeReturnPath(redirect)
  return (
    <FormPage
      above={<JoinSteps current="input" />}
      title={<Trans>Sign up</Trans>}
      text={
        <Trans>
          Already have an account?{' '}
          <Link to="/login" search={back ? { redirect: back } : {}}>
            Sign in
          </Link>
          .
        </Trans>
      }
    >
      <GuestCart cart={cart} />
      <JoinForm outcome={outcome} redirect={back} />
    </FormPage>
  )
}

const JoinForm = createIsomorphicFn()
  .server(() => inSuspense(JoinFormNow))
  .client(() =>
    hydratedLater(() => withMessages(import('~/features/identity/join/ui/join-form')).then((part) => part.JoinForm)),
  )()
