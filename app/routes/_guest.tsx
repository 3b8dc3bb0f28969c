import { createFileRoute, Outlet } from '@tanstack/react-router'
import { requireGuest } from '~/platform/navigation/guards'

/** Pages below are for who is not signed in. */
export const Route = createFileRoute('/_guest')({
  beforeLoad: requireGuest,
  component: Outlet,
})
