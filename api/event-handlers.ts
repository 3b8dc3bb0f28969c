import { moveViewedProducts } from '#api/modules/engagement/engagement.queries.ts'
import { mergeGuestCart } from '#api/modules/orders/cart.ts'
import { markOrderItemOpened } from '#api/modules/orders/orders.queries.ts'
import { movePositions } from '#api/modules/playback/positions.queries.ts'
import type { EventHandlers } from '#api/platform/events.ts'

/** Who applies which event. The handlers of one event run in this order, in the transaction that emitted it. */
export const eventHandlers: EventHandlers = {
  memberSignedIn: [
    ({ db, customer }, { guestId, memberId }) => moveViewedProducts(db, customer.id, guestId, memberId),
    ({ db, customer }, { guestId, memberId }) => movePositions(db, customer.id, guestId, memberId),
    mergeGuestCart,
  ],
  entitlementBegun: [({ db, customer }, { orderItemId, at }) => markOrderItemOpened(db, customer.id, orderItemId, at)],
}
