import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import * as z from 'zod/mini'
import { profileForms, profileQuery, sessionsQuery } from '~/features/identity/profile/profile.functions'
import type { ProfileOutcome } from '~/features/identity/profile/profile-fields'
import { handleProfileForm } from '~/features/identity/profile/profile-form.server'
import { ProfilePage as ProfilePageNow } from '~/features/identity/profile/ui/profile-page'
import { pageHead } from '~/platform/document/head'
import { hydratedLater, inSuspense } from '~/platform/hydration-boundary'
import { withMessages } from '~/platform/i18n/i18n'
import { searchSchema } from '~/platform/navigation/search-schema'
import { answerOrShow } from '~/platform/request/form-post'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'
import { ProfilePending } from '~/site/layout/later-parts'

/** `saved` names the form that was saved by a post without JavaScript. */
const profileSearch = searchSchema({ saved: z.enum(profileForms) })

export const Route = createFileRoute('/_member/mypages/profile')({
  validateSearch: profileSearch,
  server: {
    middleware: [requestContextMiddleware],
    handlers: {
      POST: async ({ request, context, next }) =>
        answerOrShow(await handleProfileForm(request, context.requestContext), next),
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

const ProfilePage = createIsomorphicFn()
  .server(() => inSuspense(ProfilePageNow))
  .client(() =>
    hydratedLater(() =>
      withMessages(import('~/features/identity/profile/ui/profile-page')).then((part) => part.ProfilePage),
    ),
  )()
