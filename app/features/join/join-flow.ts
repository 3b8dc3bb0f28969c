import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import type { JoinStage, Me } from '#contract/accounts.ts'
import { redirectWithNotice } from '~/platform/navigation/guards'
import { meQuery, siteSettingsQuery } from '~/platform/shell/shell.functions'
import { completionQuery, joinStepQuery } from './join.functions'

/** How far a join has come, without the token: that stays where no script reads it. */
export type JoinStep = Omit<JoinStage, 'token'>

export type JoinPage = '/join/input' | '/join/verify' | '/join/completed'

/**
 * Where somebody who asks for a page of joining belongs: there, or at the first step that is not done yet. One may go back to
 * the form from the code; once all is done only the last page is left.
 */
export function joinPageFor(asked: JoinPage, step: JoinStep | null): JoinPage {
  if (!step) return '/join/input'
  if (step.stage === 'COMPLETED') return '/join/completed'
  return asked === '/join/completed' ? '/join/verify' : asked
}

interface Check {
  context: { queryClient: QueryClient }
  search: { redirect?: string | undefined }
}

/** The join-flow check: a store that takes no members has only its login, and a page reached out of order leads to the first step that is not done. */
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

/** The last page is shown once to who has just joined; a member goes home from it, anyone else to the first step left. */
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
