import { msg } from '@lingui/core/macro'
import type { StoreState } from '#contract/store-state.ts'
import type { Statuses } from '../../ui/status'

/** How the states of a store are shown. */
export const storeStateLabels = {
  // One that is closed was open before, or never.
  COMING_SOON: { label: msg`Closed to visitors`, tone: 'warning' },
  OPEN: { label: msg`Open`, tone: 'success' },
  CLOSED: { label: msg`Offline`, tone: 'danger' },
  ENDED: { label: msg`Contract ended`, tone: 'danger' },
} as const satisfies Statuses<StoreState>

/** How a store is shown that was never open. */
export const neverOpen = { label: msg`Not open yet`, tone: 'warning' } as const
