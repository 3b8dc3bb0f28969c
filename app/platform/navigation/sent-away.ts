import { redirect } from '@tanstack/react-router'

/** Why somebody was led to another page than the one they asked for; it is said there in words. */
export type AwayReason = 'INQUIRY_DISABLED' | 'JOIN_DISABLED' | 'PLANS_CLOSED' | 'PLAN_NEEDED' | 'PLAN_NOT_ON_SALE'

/** Leads to a path of the store, where the reason stands at the top. Throw it in `beforeLoad`. */
export const sentAway = (path: string, reason: AwayReason) => redirect({ href: `${path}?notice=${reason}` })
