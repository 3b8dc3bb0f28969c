import { resetRequest, resetSubmit } from '#contract/identity.ts'
import { formAction, refusedForm } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'
import { type ResetOutcome, resetFields } from './reset.functions'

/**
 * Handles the forms of the reset page without JavaScript: requests the email, or sets the password.
 */
export const handleResetForm = (request: Request, requestContext: RequestContext) =>
  formAction<ResetOutcome>(request, requestContext, {
    submit: async ({ api, url, text, parse, redirect }) => {
      const email = text('email').trim()
      if (text('intent') === 'request') {
        const { mailbox } = await api.identity.requestReset(parse(resetRequest, { email }))
        return { ...noOutcome, email, requested: { mailbox } }
      }
      const accessKey = url.searchParams.get('key') ?? ''
      await api.identity.reset(parse(resetSubmit, { accessKey, password: text('password') }))
      return redirect('/login?notice=PASSWORD_CHANGED')
    },
    refuse: (problem, { text }) => ({
      ...noOutcome,
      ...refusedForm(problem, resetFields),
      email: text('email').trim(),
    }),
  })

const noOutcome: ResetOutcome = { email: '', errors: {}, code: null, requested: null }
