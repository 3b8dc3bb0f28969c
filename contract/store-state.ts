import type { ContractStatus } from './tenancy.ts'

export const storeStates = ['COMING_SOON', 'OPEN', 'CLOSED', 'ENDED'] as const
export type StoreState = (typeof storeStates)[number]

/**
 * Whether visitors see a store. A contract that has ended counts before a closing, and that before
 * an opening that is still to come.
 */
export const storeStateOf = ({
  useCustomer,
  useSite,
  opened,
}: Pick<ContractStatus, 'useCustomer' | 'useSite' | 'opened'>): StoreState => {
  if (!useCustomer) return 'ENDED'
  if (!useSite) return 'CLOSED'
  return opened ? 'OPEN' : 'COMING_SOON'
}
