import { createFileRoute, Outlet } from '@tanstack/react-router'
import { AccountLayout } from '~/features/identity/account/ui/account-layout'

/** Layout of the mypages, with their navigation. */
export const Route = createFileRoute('/_member/mypages')({
  component: () => (
    <AccountLayout>
      <Outlet />
    </AccountLayout>
  ),
})
