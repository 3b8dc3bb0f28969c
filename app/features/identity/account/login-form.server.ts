import { resetRequest, signInForm } from '#contract/identity.ts'
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
        return { ...noOutcome, email, link: await api.identity.requestSignInLink(parse(resetRequest, { email })) }
      const linkKey = url.searchParams.get('key') ?? undefined
      const credentials = parse(signInForm, { email, password: text('password'), linkKey })
      registerApproval(await api.identity.login(credentials), requestContext)
      return seeOther(safeReturnPath(url.searchParams.get('redirect')) ?? '/')
    },
    refuse: (problem, { text }) => ({
      ...noOutcome,
      ...refusedForm(problem, loginFields),
      email: text('email'),
      wait: waitOf(problem.data),
    }),
  })

const noOutcome: LoginOutcome = { email: '', errors: {}, code: null, wait: null, link: null }
