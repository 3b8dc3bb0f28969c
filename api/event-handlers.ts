import { countMissedSearch } from '#api/modules/analytics/sales.ts'
import { moveGuestHistory } from '#api/modules/engagement/likes.ts'
import { mergeGuestCart } from '#api/modules/orders/cart.ts'
import { markItemOpened } from '#api/modules/orders/orders.ts'
import { moveGuestPositions } from '#api/modules/playback/progress.ts'
import type { EventHandlers } from '#api/platform/context.ts'

/**
 * The handlers of each event. They run in this order, in the transaction that emitted the event.
 */
export const eventHandlers: EventHandlers = {
  memberSignedIn: [moveGuestHistory, moveGuestPositions, mergeGuestCart],
  entitlementStarted: [markItemOpened],
  searchMissed: [countMissedSearch],
}
