import type { Me } from '#contract/accounts.ts'
import { type Result, succeeded } from '~/platform/api/problem'
import { readFn } from '~/platform/api/server-fn'
import { endSession } from '~/platform/session/server-session'

/** The contract status. Where it cannot be had, approval is cancelled. */
export const getContract = readFn().handler(async ({ context }) => {
  const answer = await context.requestContext.tenant.contract()
  if (!answer.ok) await endSession(context.requestContext)
  return answer
})

export const getSiteSettings = readFn().handler(({ context }) => context.requestContext.tenant.settings())

export const getCategories = readFn().handler(({ context }) => context.requestContext.tenant.categories())

/** The signed-in member, or null for a guest. A token that no longer names a member is given up. */
export const getMe = readFn().handler(async ({ context }): Promise<Result<Me | null>> => {
  if (!context.requestContext.hasToken) return succeeded(null)
  const answer = await context.ask((api) => api.accounts.me())
  if (!answer.ok) await endSession(context.requestContext)
  return answer
})
