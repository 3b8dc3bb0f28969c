import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CustomerId } from '#contract/ids.ts'

const sign = (secret: string, customerId: CustomerId, expires: string) =>
  createHmac('sha256', secret).update(`preview\n${customerId}\n${expires}`).digest('base64url')

/** A token that shows one store before it is opened, until a moment. */
export const createPreviewToken = (secret: string, customerId: CustomerId, expiresAt: Date): string => {
  const expires = String(Math.floor(expiresAt.getTime() / 1000))
  return `${expires}.${sign(secret, customerId, expires)}`
}

/** Whether a token was made for this store and has not expired. */
export const isPreviewToken = (secret: string, customerId: CustomerId, token: string, now: Date): boolean => {
  const [expires = '', given = ''] = token.split('.')
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= now.getTime()) return false
  const expected = Buffer.from(sign(secret, customerId, expires))
  const offered = Buffer.from(given)
  return offered.length === expected.length && timingSafeEqual(offered, expected)
}
