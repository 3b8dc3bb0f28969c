import type { MemberId, OrderItemId } from '#contract/ids.ts'
import type { Ctx } from './context.ts'

/** What happens in a module and is applied by modules after it, with what each event carries. */
export interface DomainEvents {
  /** A guest has signed in or has joined: what hangs on the guest's id becomes the member's. */
  memberSignedIn: { guestId: string; memberId: MemberId }
  /** A bought product was played or downloaded for the first time. */
  entitlementBegun: { orderItemId: OrderItemId; at: Date }
}

/** What a handler may use: the transaction of the event, and its tenant. */
export type EventCtx = Pick<Ctx, 'customer' | 'db' | 'clock'>

export type EventHandler<Name extends keyof DomainEvents> = (
  ctx: EventCtx,
  payload: DomainEvents[Name],
) => Promise<void>

/** The handlers of each event, in the order in which they run. `api/event-handlers.ts` lists them. */
export type EventHandlers = { readonly [Name in keyof DomainEvents]: readonly EventHandler<Name>[] }

/**
 * Applies an event in the transaction of the caller: its handlers run one after the other, in their order, and all of them are
 * done when this resolves.
 *
 * @throws what a handler throws; the transaction is then rolled back, with what the emitter wrote.
 */
export const emit = async <Name extends keyof DomainEvents>(
  ctx: EventCtx & Pick<Ctx, 'events'>,
  name: Name,
  payload: DomainEvents[Name],
): Promise<void> => {
  const handlers: readonly EventHandler<Name>[] = ctx.events[name]
  for (const handle of handlers) await handle(ctx, payload)
}
