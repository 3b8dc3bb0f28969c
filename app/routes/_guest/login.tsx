import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createFileRoute, Link } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import * as z from 'zod/mini'
import type { Cart } from '#contract/orders.ts'
import type { LoginOutcome } from '~/features/identity/account/login.functions'
import { handleLoginForm } from '~/features/identity/account/sign-in-forms.server'
import { LoginForm as LoginFormNow } from '~/features/identity/account/ui/login-form'
import { loadGuestCart } from '~/features/orders/cart/cart.functions'
import { GuestCart } from '~/features/orders/cart/ui/guest-cart'
import { safeReturnPath } from '~/platform/address'
import { pageHead } from '~/platform/document/head'
import { hydratedLater, inSuspense } from '~/platform/hydration-boundary'
import { withMessages } from '~/platform/i18n/i18n'
import { searchSchema } from '~/platform/navigation/search-schema'
import { answerOrShow } from '~/platform/request/form-post'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { FormPage } from '~/site/form-page'
import { Notice } from '~/ui/notice'

/** `key` is the key of a mail's link to sign in on this device. */
const loginSearch = searchSchema({ key: z.string().check(z.maxLength(120)) })

export const Route = createFileRoute('/_guest/login')({
  validateSearch: loginSearch,
  server: {
    middleware: [requestContextMiddleware],
    handlers: {
      POST: async ({ request, context, next }) =>
        answerOrShow(await handleLoginForm(request, context.requestContext), next),
    },
  },
  loaderDeps: ({ search: { redirect } }) => ({ redirect }),
  loader: async ({ serverContext, context, deps }): Promise<{ outcome: LoginOutcome | null; cart: Cart | null }> => ({
    outcome: serverContext?.outcome ?? null,
    cart: await loadGuestCart(context.queryClient, safeReturnPath(deps.redirect)),
  }),
  head: ({ match }) => pageHead(match.context, { title: msg`Sign in`, noindex: true }),
  headers: () => ({ 'cache-control': 'private, no-store' }),
  component: LoginPage,
})

function LoginPage() {
  const { outcome, cart } = Route.useLoaderData()
  const { redirect, notice, key } = Route.useSearch()
  const { operation } = useSiteSettings()
  const back = safeReturnPath(redirect)
  return (
    <FormPage
      title={<Trans>Sign in</Trans>}
      text={
        operation.useJoin ? (
          <Trans>
            New here?{' '}
            <Link to="/join/input" search={back ? { redirect: back } : {}}>
              Sign up
            </Link>
            .
          </Trans>
        ) : undefined
      }
    >
      <GuestCart cart={cart} />
      {notice === 'PASSWORD_CHANGED' && <LoginNotice />}
      {notice === 'PASSWORD_SET' && <FirstPasswordNotice />}
      {key && <LinkNotice />}
      <LoginForm outcome={outcome} returnTo={back ?? '/'} linkKey={key} />
    </FormPage>
  )
}

const LoginForm = createIsomorphicFn()
  .server(() => inSuspense(LoginFormNow))
  .client(() =>
    hydratedLater(() =>
      withMessages(import('~/features/identity/account/ui/login-form')).then((part) => part.LoginForm),
    ),
  )()

/** Shown after a sign-in link from a mail was opened. */
function LinkNotice() {
  return (
    <Notice>
      <Trans>Enter your email and password to sign in on this device.</Trans>
    </Notice>
  )
}

/** Shown after an account got its first password. */
function FirstPasswordNotice() {
  return (
    <Notice tone="success">
      <Trans>Your password is set. Sign in with it.</Trans>
    </Notice>
  )
}

/** Shown after the password was changed. */
function LoginNotice() {
  return (
    <Notice tone="success">
      <Trans>Your password was changed. Sign in with your new password.</Trans>
    </Notice>
  )
}
