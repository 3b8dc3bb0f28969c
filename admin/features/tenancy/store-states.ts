import { msg } from '@lingui/core/macro'
import type { StoreState } from '#contract/store-state.ts'
import type { Statuses } from '../../ui/status'

const storeStateLabels = {
  COMING_SOON: { label: msg`Closed to visitors`, tone: 'warning' },
  OPEN: { label: msg`Open`, tone: 'success' },
  CLOSED: { label: msg`Offline`, tone: 'danger' },
  ENDED: { label: msg`Contract ended`, tone: 'danger' },
} as const satisfies Statuses<StoreState>

const neverOpen = { label: msg`Not open yet`, tone: 'warning' } as const

/** How the state of a store is shown. */
export const storeStatusOf = ({ state, neverOpened }: { state: StoreState; neverOpened: boolean }) =>
  state === 'COMING_SOON' && neverOpened ? neverOpen : storeStateLabels[state]

/** What a list of stores is filtered by. */
export const storeFilterLabels = {
  ...storeStateLabels,
  COMING_SOON: { ...storeStateLabels.COMING_SOON, label: msg`Not open yet, or closed to visitors` },
} as const satisfies Statuses<StoreState>
