import { redirect } from '@tanstack/react-router'
import type { awayReasons } from './search-schema'

export type AwayReason = (typeof awayReasons)[number]

/** Leads to another page of the store, which says the reason. Throw it in `beforeLoad`. */
export const sentAway = (to: '/' | '/login' | '/plans' | '/mypages', reason: AwayReason) =>
  redirect({ to, search: { notice: reason } })
