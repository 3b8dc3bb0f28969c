import { createHmac, timingSafeEqual } from 'node:crypto'
import { newId } from '#api/platform/db/columns.ts'
import { type CustomerId, type GuestId, guestId as guestIdSchema } from '#contract/ids.ts'

const signatureOf = (secret: string, customerId: CustomerId, guestId: GuestId) =>
  createHmac('sha256', secret).update(`guest\n${customerId}\n${guestId}`).digest('base64url')

/**
 * Creates a guest token: an id and its signature, bound to the tenant. Guests cannot forge an id.
 */
export const createGuestToken = (secret: string, customerId: CustomerId) => {
  const guestId = newId<GuestId>()
  return { guestId, token: `${guestId}.${signatureOf(secret, customerId, guestId)}` }
}

/** The guest id of a token; null if the signature is not valid for this tenant. */
export const readGuestToken = (secret: string, customerId: CustomerId, token: string): GuestId | null => {
  const [id, given = ''] = token.split('.')
  const { data: guestId } = guestIdSchema.safeParse(id)
  if (!guestId) return null
  const due = Buffer.from(signatureOf(secret, customerId, guestId))
  const offered = Buffer.from(given)
  return offered.length === due.length && timingSafeEqual(offered, due) ? guestId : null
}
