import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import type { Me } from '#contract/accounts.ts'
import { redirectWithNotice } from '~/platform/navigation/guards'
import { meQuery, siteSettingsQuery } from '~/platform/shell/shell.functions'
import { completionQuery, joinStepQuery } from './join.queries'
import { type JoinPage, type JoinStep, joinPageFor } from './join-flow'

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
