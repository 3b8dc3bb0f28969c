import { resetRequest, resetSubmit, signInForm } from '#contract/identity.ts'
import { consentsIn } from '~/features/identity/join/join-fields'
import { type ResetOutcome, resetFields } from '~/features/identity/reset/reset.functions'
import { safeReturnPath } from '~/platform/address'
import { formAction, refusedForm, seeOther } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'
import { registerApproval } from '~/platform/request/server-session'
import { type LoginOutcome, loginFields, waitOf } from './login.functions'

/**
 * Handles the sign-in form without JavaScript: signs in and redirects, or requests a sign-in link.
 */
export const handleLoginForm = (request: Request, requestContext: RequestContext) =>
  formAction<LoginOutcome>(request, requestContext, {
    submit: async ({ api, url, text, parse }) => {
      const email = text('email')
      if (text('intent') === 'link')
        return { ...noLogin, email, link: await api.identity.requestSignInLink(parse(resetRequest, { email })) }
      const linkKey = url.searchParams.get('key') ?? undefined
      const credentials = parse(signInForm, { email, password: text('password'), linkKey })
      registerApproval(await api.identity.login(credentials), requestContext)
      return seeOther(safeReturnPath(url.searchParams.get('redirect')) ?? '/')
    },
    refuse: (problem, { text }) => ({
      ...noLogin,
      ...refusedForm(problem, loginFields),
      email: text('email'),
      wait: waitOf(problem.data),
    }),
  })

const noLogin: LoginOutcome = { email: '', errors: {}, code: null, wait: null, link: null }

/**
 * Handles the forms of the reset page without JavaScript: requests the email, or sets the password.
 */
export const handleResetForm = (request: Request, requestContext: RequestContext) =>
  formAction<ResetOutcome>(request, requestContext, {
    submit: async ({ api, url, text, parse, redirect, fields }) => {
      const email = text('email').trim()
      if (text('intent') === 'request') {
        const { mailbox } = await api.identity.requestReset(parse(resetRequest, { email }))
        return { ...noReset, email, requested: { mailbox } }
      }
      const accessKey = url.searchParams.get('key') ?? ''
      const agreed = consentsIn(fields)
      await api.identity.reset(parse(resetSubmit, { accessKey, password: text('password'), ...agreed }))
      // Only the form of a first password has consents, and needs them.
      return redirect(`/login?notice=${agreed.agreeTerms ? 'PASSWORD_SET' : 'PASSWORD_CHANGED'}`)
    },
    refuse: (problem, { text }) => ({
      ...noReset,
      ...refusedForm(problem, resetFields),
      email: text('email').trim(),
    }),
  })

const noReset: ResetOutcome = { email: '', errors: {}, code: null, requested: null }
