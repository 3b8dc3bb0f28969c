import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { type resetChecked, resetKeyPath, resetRequest, resetSubmit } from '#contract/identity.ts'
import { call } from '~/platform/api/call'
import { refusalMessages } from '~/platform/api/failures'
import { type Result, succeeded } from '~/platform/api/problem'
import type { RefusedForm } from '~/platform/request/form-post'
import { checked, readFn, writeFn } from '~/platform/request/server-fn'

/** Requests an email with an access key. The result is the same for an unknown email. */
export const requestReset = writeFn()
  .validator(checked(resetRequest))
  .handler(({ data, context }) => context.callApi((api) => api.identity.requestReset(data)))

/** The account of an access key; null if the key is invalid or expired. */
const confirmKey = readFn()
  .validator(checked(resetKeyPath))
  .handler(async ({ data, context }): Promise<Result<z.output<typeof resetChecked> | null>> => {
    const answer = await context.callApi((api) => api.identity.checkReset(data))
    return answer.ok || !(isKeyInvalid(answer.problem.status) || answer.problem.status === 422)
      ? answer
      : succeeded(null)
  })

/** Sets the new password. Every session of the member ends. */
export const submitReset = writeFn()
  .validator(checked(resetSubmit))
  .handler(async ({ data, context }): Promise<Result<null>> => {
    const answer = await context.callApi((api) => api.identity.reset(data))
    return answer.ok ? succeeded(null) : answer
  })

/** Whether an access key is valid. Never cached. */
const accessKeyQuery = (accessKey: string) =>
  queryOptions({
    queryKey: ['access-key', accessKey],
    queryFn: ({ signal }) => call((s) => confirmKey({ data: { accessKey }, signal: s }), { signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

interface Check {
  context: { queryClient: QueryClient }
  search: { key?: string | undefined }
}

/** The state of the access key in the URL, with the account's email. */
export interface AccessKey {
  state: 'valid' | 'expired' | 'missing'
  email: string
  /** Whether the account has no password yet, and its first one needs the consents of a sign-up. */
  needsConsents: boolean
}

const shortestKey = 20

/** Checks the access key: only a valid one shows the form for a new password. */
export async function confirmAccessKey({ context, search: { key } }: Check): Promise<{ accessKey: AccessKey }> {
  const unknown = { email: '', needsConsents: false }
  if (key === undefined) return { accessKey: { state: 'missing', ...unknown } }
  const accessKey =
    key.length >= shortestKey && key.length <= 100 ? await context.queryClient.fetchQuery(accessKeyQuery(key)) : null
  return { accessKey: accessKey ? { state: 'valid', ...accessKey } : { state: 'expired', ...unknown } }
}

export const resetFields = ['email', 'password', 'agreeTerms', 'agreePrivacy', 'isOldEnough'] as const
export type ResetField = (typeof resetFields)[number]

/** The state of the page after a form post without JavaScript. */
export interface ResetOutcome extends RefusedForm<ResetField> {
  email: string
  /** Set when the email was requested. `mailbox` is the demo's mailbox. */
  requested: { mailbox: string | null } | null
}

export const resetFieldMessages: Partial<Record<ResetField, MessageDescriptor>> = {
  email: msg`Enter a valid email address, such as name@example.com.`,
  password: msg`Use at least 8 characters.`,
}

/** The message of a refused form, by problem code. */
export const resetRefusal = refusalMessages({ otherwise: msg`Something went wrong. Try again in a moment.` })

/** Whether a refusal's status means that the access key is invalid, used or expired. */
export const isKeyInvalid = (status: number): boolean => status === 404 || status === 409 || status === 410
