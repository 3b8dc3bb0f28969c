import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { passwordChange, profileChange, withdrawalConfirm } from '#contract/identity.ts'
import { sessionId } from '#contract/ids.ts'
import { call } from '~/platform/api/call'
import { type Result, succeeded } from '~/platform/api/problem'
import { checked, readFn, writeFn } from '~/platform/request/server-fn'
import { deleteHostCookie } from '~/platform/request/server-session'

/** The profile's forms, each submitted on its own. The name is also in the URL after saving. */
export const profileForms = ['details', 'preferences', 'password', 'session', 'sessions'] as const
export type ProfileForm = (typeof profileForms)[number]

const getProfile = readFn().handler(({ context }) => context.callApi((api) => api.identity.profile()))

export const changeProfile = writeFn()
  .validator(checked(profileChange))
  .handler(({ data, context }) => context.callApi((api) => api.identity.changeProfile(data)))

const nothing = <T>(answer: Result<T>): Result<null> => (answer.ok ? succeeded(null) : answer)

/** Ends all other sessions. */
export const changePassword = writeFn()
  .validator(checked(passwordChange))
  .handler(
    async ({ data, context }): Promise<Result<null>> =>
      nothing(await context.callApi((api) => api.identity.changePassword(data))),
  )

/** The member's sessions, the latest used first. */
const getSessions = readFn().handler(({ context }) => context.callApi((api) => api.identity.sessions()))

export const endSession = writeFn()
  .validator(checked(z.object({ id: sessionId })))
  .handler(
    async ({ data, context }): Promise<Result<null>> =>
      nothing(await context.callApi((api) => api.identity.endSession(data))),
  )

export const endOtherSessions = writeFn().handler(
  async ({ context }): Promise<Result<null>> =>
    nothing(await context.callApi((api) => api.identity.endOtherSessions())),
)

/** The consequences of deleting the account. */
const getWithdrawal = readFn().handler(({ context }) => context.callApi((api) => api.identity.withdrawal()))

/** Deletes the account and ends the session of this browser. */
export const withdraw = writeFn()
  .validator(checked(withdrawalConfirm))
  .handler(async ({ data, context }): Promise<Result<null>> => {
    const answer = await context.callApi((api) => api.identity.withdraw(data))
    if (answer.ok) deleteHostCookie('token')
    return nothing(answer)
  })

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => call((s) => getProfile({ signal: s }), { signal }),
})

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call((s) => getSessions({ signal: s }), { signal }),
  select: ({ items }) => items,
})

/** Always requested again, because older data may be wrong. */
export const withdrawalQuery = queryOptions({
  queryKey: ['withdrawal'],
  queryFn: ({ signal }) => call((s) => getWithdrawal({ signal: s }), { signal, expected: [404] }),
  staleTime: 0,
  gcTime: 0,
  retry: false,
})
