import { createFileRoute, Outlet } from '@tanstack/react-router'
import { requireMember } from '~/platform/navigation/guards'

/** Pages below need a member; they find it as `member` in their context. */
export const Route = createFileRoute('/_member')({
  beforeLoad: requireMember,
  headers: () => ({ 'cache-control': 'private, no-store' }),
  component: Outlet,
})
