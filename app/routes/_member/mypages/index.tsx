import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/_member/mypages/')({
  component: AccountOverview,
})

function AccountOverview() {
  const { member } = Route.useRouteContext()
  return <h1>{member.name}</h1>
}
