import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import type { Me } from '#contract/identity.ts'
import { redirectWithNotice } from '~/platform/navigation/guards'
import { meQuery, siteSettingsQuery } from '~/platform/shell/shell.functions'
import { completionQuery, joinStepQuery } from './join.functions'
import type { JoinPage, JoinStep } from './join-fields'

/**
 * Returns the requested page of the sign-up, or the first step that is not done. The form can be
 * reached again from the code. After the sign-up only the last page is left.
 */
export function joinPageFor(requested: JoinPage, step: JoinStep | null): JoinPage {
  if (!step) return '/join/input'
  if (step.stage === 'COMPLETED') return '/join/completed'
  return requested === '/join/completed' ? '/join/verify' : requested
}

interface Check {
  context: { queryClient: QueryClient }
  search: { redirect?: string | undefined }
}

/**
 * The join-flow check. @throws a redirect if the store has no sign-up, or to the first step that
 * is not done
 */
export const checkJoinFlow =
  (page: Exclude<JoinPage, '/join/completed'>) =>
  async ({ context, search }: Check): Promise<{ step: JoinStep | null }> => {
    const settings = context.queryClient.getQueryData(siteSettingsQuery.queryKey)
    if (!settings?.operation.useJoin) throw redirectWithNotice('/login', 'JOIN_DISABLED')
    const step = await context.queryClient.fetchQuery({ ...joinStepQuery, staleTime: 0 })
    const to = joinPageFor(page, step)
    if (to !== page) throw redirect({ to, search })
    return { step }
  }

/**
 * The last page is shown once after a sign-up. @throws a redirect home for other members, or to the
 * first step
 */
export async function checkJoinCompleted({ context: { queryClient }, search }: Check): Promise<{ member: Me | null }> {
  const member = queryClient.getQueryData(meQuery.queryKey) ?? null
  const completed = await queryClient.ensureQueryData(completionQuery)
  if (completed) return { member }
  queryClient.removeQueries({ queryKey: completionQuery.queryKey })
  if (member) throw redirect({ to: '/' })
  throw redirect({
    to: joinPageFor('/join/completed', await queryClient.fetchQuery({ ...joinStepQuery, staleTime: 0 })),
    search,
  })
}
