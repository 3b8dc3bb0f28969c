import { aurora } from './aurora/tenant.ts'
import { hangang } from './hangang/tenant.ts'
import type { DemoTenant } from './model/types.ts'
import { lapsed, paused } from './small/closed.ts'
import { salon } from './small/salon.ts'
import { studio } from './small/studio.ts'

/**
 * The demo stores, the default one first; the four small ones show the states a store can be in.
 */
export const DEMO_TENANTS: readonly DemoTenant[] = [aurora, hangang, salon, studio, paused, lapsed]
