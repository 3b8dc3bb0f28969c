import { credentials } from '#contract/accounts.ts'
import { checked, writeFn } from '~/platform/api/server-fn'

/** Signs in at the API. The answer still has to be registered with /api/approval. */
export const login = writeFn()
  .validator(checked(credentials))
  .handler(({ data, context }) => context.ask((api) => api.accounts.login(data)))
