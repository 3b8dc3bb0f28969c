import { moveViewedProducts } from '#api/modules/engagement/engagement.queries.ts'
import { mergeGuestCart } from '#api/modules/orders/cart.ts'
import { markOrderItemOpened } from '#api/modules/orders/orders.queries.ts'
import { movePositions } from '#api/modules/playback/positions.queries.ts'
import type { EventHandlers } from '#api/platform/events.ts'

/**
 * The handlers of each event. They run in this order, in the transaction that emitted the event.
 */
export const eventHandlers: EventHandlers = {
  memberSignedIn: [
    ({ db, customer }, { guestId, memberId }) => moveViewedProducts(db, customer.id, guestId, memberId),
    ({ db, customer }, { guestId, memberId }) => movePositions(db, customer.id, guestId, memberId),
    mergeGuestCart,
  ],
  entitlementBegun: [({ db, customer }, { orderItemId, at }) => markOrderItemOpened(db, customer.id, orderItemId, at)],
}
