import { aurora } from './aurora/tenant.ts'
import { hangang } from './hangang/tenant.ts'
import type { DemoTenant } from './types.ts'

/** The demo stores, the default one first. */
export const DEMO_TENANTS: readonly DemoTenant[] = [aurora, hangang]
