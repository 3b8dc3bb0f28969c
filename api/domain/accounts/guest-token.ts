import { createHmac, timingSafeEqual } from 'node:crypto'
import { newId } from '#api/db/uuid.ts'
import type { CustomerId } from '#contract/ids.ts'

const seal = (secret: string, customerId: CustomerId, guestId: string) =>
  createHmac('sha256', secret).update(`guest\n${customerId}\n${guestId}`).digest('base64url')

/** A guest's token: an id and its seal. Nobody can name another guest's id, or carry one to another tenant. */
export const createGuestToken = (secret: string, customerId: CustomerId) => {
  const guestId = newId()
  return { guestId, token: `${guestId}.${seal(secret, customerId, guestId)}` }
}

/** The guest a token names; null when it is not sealed by us for this tenant. */
export const readGuestToken = (secret: string, customerId: CustomerId, token: string): string | null => {
  const [guestId = '', given = ''] = token.split('.')
  const due = Buffer.from(seal(secret, customerId, guestId))
  const offered = Buffer.from(given)
  return offered.length === due.length && timingSafeEqual(offered, due) ? guestId : null
}
