import { createFileRoute, Outlet } from '@tanstack/react-router'
import { AccountLayout } from '~/features/account/ui/account-layout'

/** The member's own pages, beside the way from one to the other. */
export const Route = createFileRoute('/_member/mypages')({
  component: () => (
    <AccountLayout>
      <Outlet />
    </AccountLayout>
  ),
})
