import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createFileRoute } from '@tanstack/react-router'
import type { Me } from '#contract/identity.ts'
import { checkJoinCompleted } from '~/features/identity/join/join-flow'
import { JoinCompleted, JoinSteps } from '~/features/identity/join/ui/join-steps'
import { safeReturnPath } from '~/platform/address'
import { pageHead } from '~/platform/document/head'
import { FormPage } from '~/site/form-page'

export const Route = createFileRoute('/_guest/join/completed')({
  beforeLoad: checkJoinCompleted,
  head: ({ match }) => pageHead(match.context, { title: msg`Welcome`, noindex: true }),
  headers: () => ({ 'cache-control': 'private, no-store' }),
  component: Completed,
})

function Greeting({ member }: { member: Me | null }) {
  if (!member) return <Trans>Account created.</Trans>
  return member.name ? <Trans>Welcome, {member.name}.</Trans> : <Trans>Welcome.</Trans>
}

function Completed() {
  const { member } = Route.useRouteContext()
  const { redirect } = Route.useSearch()
  return (
    <FormPage
      above={<JoinSteps current="completed" />}
      title={<Greeting member={member} />}
      text={
        member ? (
          <Trans>Your account is ready and you’re signed in.</Trans>
        ) : (
          <Trans>Your account is ready. Sign in to get started.</Trans>
        )
      }
    >
      <JoinCompleted member={member} returnTo={safeReturnPath(redirect)} />
    </FormPage>
  )
}
