import type { GuestId, MemberId, OrderItemId } from '#contract/ids.ts'
import type { Ctx } from './context.ts'

/** The domain events that modules emit, with their payloads. */
export interface DomainEvents {
  /** A guest has signed in or joined. Data of the guest's id is assigned to the member. */
  memberSignedIn: { guestId: GuestId; memberId: MemberId }
  /** A bought product was played or downloaded for the first time. */
  entitlementStarted: { orderItemId: OrderItemId; at: Date }
}

/** The context of a handler: the transaction of the event, and its tenant. */
export type EventCtx = Pick<Ctx, 'customer' | 'db' | 'clock'>

export type EventHandler<Name extends keyof DomainEvents> = (
  ctx: EventCtx,
  payload: DomainEvents[Name],
) => Promise<void>

/**
 * The handlers of each event, in the order in which they run. `api/event-handlers.ts` lists them.
 */
export type EventHandlers = { readonly [Name in keyof DomainEvents]: readonly EventHandler<Name>[] }

/**
 * Applies an event in the caller's transaction. Runs the handlers one after the other, in their
 * order, and resolves when all of them are done.
 *
 * @throws the error of a handler; the transaction is then rolled back with the emitter's writes
 */
export const emit = async <Name extends keyof DomainEvents>(
  ctx: EventCtx & Pick<Ctx, 'events'>,
  name: Name,
  payload: DomainEvents[Name],
): Promise<void> => {
  const handlers: readonly EventHandler<Name>[] = ctx.events[name]
  for (const handle of handlers) await handle(ctx, payload)
}
