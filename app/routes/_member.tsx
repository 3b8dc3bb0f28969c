import { createFileRoute } from '@tanstack/react-router'
import { requireMember } from '~/platform/navigation/guards'

/** Layout of pages that require a member, who is `member` in their context. */
export const Route = createFileRoute('/_member')({
  beforeLoad: requireMember,
  headers: () => ({ 'cache-control': 'private, no-store' }),
})
