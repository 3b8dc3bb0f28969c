import { resetRequest, signInForm } from '#contract/accounts.ts'
import { checked, writeFn } from '~/platform/api/server-fn'

/** Signs in at the API. The answer still has to be registered with /api/approval. */
export const login = writeFn()
  .validator(checked(signInForm))
  .handler(({ data, context }) => context.ask((api) => api.accounts.login(data)))

/** Asks for a mail with a link to sign in on this device. The answer is the same for an e-mail nobody has. */
export const requestSignInLink = writeFn()
  .validator(checked(resetRequest))
  .handler(({ data, context }) => context.ask((api) => api.joining.requestSignInLink(data)))
