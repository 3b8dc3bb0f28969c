import type { Actor } from '#api/context.ts'
import type { CartOwner } from '#api/db/queries/carts.ts'

/** Whose cart an actor means; null for a guest who has left no trace yet. */
export const cartOwner = (actor: Actor): CartOwner | null => {
  if (actor.kind === 'USER') return { memberId: actor.memberId }
  return actor.guestId === null ? null : { guestId: actor.guestId }
}
