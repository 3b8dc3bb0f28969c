import { msg } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import { showToast } from '~/platform/toasts/toasts'
import { cartQuery } from './cart.queries'

/** Writes to one cart run one after the other, each on the version the one before it left. */
export const cartMutations = { scope: { id: 'cart' } }

/** Somebody, most likely the same person on another device, changed the cart meanwhile: show it as it stands and say so. */
export async function tellCartChanged(queryClient: QueryClient): Promise<void> {
  showToast({
    severity: 'warn',
    summary: msg`Your cart was updated elsewhere.`,
    detail: msg`This is the latest version.`,
  })
  await queryClient.invalidateQueries(cartQuery)
}
