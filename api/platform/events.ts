import type { GuestId, MemberId, OrderItemId } from '#contract/ids.ts'

/** The domain events that modules emit, with their payloads. */
export interface DomainEvents {
  /** A guest has signed in or joined. Data of the guest's id is assigned to the member. */
  memberSignedIn: { guestId: GuestId; memberId: MemberId }
  /** A bought product was played or downloaded for the first time. */
  entitlementStarted: { orderItemId: OrderItemId; at: Date }
  /** A visitor's search found nothing. */
  searchMissed: { words: string }
}

/** The handlers of each event, for a context that `EventCtx` in `context.ts` names. */
export type HandlersIn<Context> = {
  readonly [Name in keyof DomainEvents]: readonly ((ctx: Context, payload: DomainEvents[Name]) => Promise<void>)[]
}

/**
 * Applies an event in the caller's transaction. Runs the handlers one after the other, in their
 * order, and resolves when all of them are done.
 *
 * @throws the error of a handler; the transaction is then rolled back with the emitter's writes
 */
export const emit = async <Context, Name extends keyof DomainEvents>(
  ctx: Context & { events: HandlersIn<Context> },
  name: Name,
  payload: DomainEvents[Name],
): Promise<void> => {
  const handlers: HandlersIn<Context>[Name] = ctx.events[name]
  for (const handle of handlers) await handle(ctx, payload)
}
