import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { profileQuery, sessionsQuery } from '~/features/profile/profile.functions'
import { profileSearch } from '~/features/profile/profile.search'
import type { ProfileOutcome } from '~/features/profile/profile-fields'
import { handleProfileForm } from '~/features/profile/profile-form.server'
import { ProfilePage } from '~/features/profile/ui/profile-page'
import { ProfilePending } from '~/features/profile/ui/profile-pending'
import { pageHead } from '~/platform/document/head'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'

export const Route = createFileRoute('/_member/mypages/profile')({
  validateSearch: profileSearch,
  server: {
    middleware: [requestContextMiddleware],
    handlers: {
      POST: async ({ request, context, next }) => {
        const outcome = await handleProfileForm(request, context.requestContext)
        return outcome instanceof Response ? outcome : next({ context: { outcome } })
      },
    },
  },
  loader: async ({ context: { queryClient }, serverContext }): Promise<{ outcome: ProfileOutcome | null }> => {
    await Promise.all([
      queryClient.ensureQueryData({ ...profileQuery, revalidateIfStale: true }),
      queryClient.fetchQuery({ ...sessionsQuery, staleTime: 0 }),
    ])
    return { outcome: serverContext?.outcome ?? null }
  },
  head: ({ match }) => pageHead(match.context, { title: msg`Profile`, noindex: true }),
  pendingComponent: ProfilePending,
  component: Profile,
})

function Profile() {
  const { outcome } = Route.useLoaderData()
  const { saved } = Route.useSearch()
  return <ProfilePage saved={saved} outcome={outcome} />
}
