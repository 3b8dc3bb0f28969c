import { createFileRoute } from '@tanstack/react-router'
import { requireGuest } from '~/platform/navigation/guards'
import { guestSearch } from '~/platform/navigation/search-schema'

/** Layout of pages for visitors who are not signed in. */
export const Route = createFileRoute('/_guest')({
  validateSearch: guestSearch,
  beforeLoad: requireGuest,
})
