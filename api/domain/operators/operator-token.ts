import { randomBytes } from 'node:crypto'
import type { CustomerId } from '#contract/ids.ts'

/** A bearer of operators: like a session's token, of a shape of its own, so that neither is ever taken for the other. */
export const createOperatorToken = (customerId: CustomerId) =>
  `mqo_${Buffer.from(customerId.replaceAll('-', ''), 'hex').toString('base64url')}_${randomBytes(32).toString('base64url')}`

const shape = /^mqo_([A-Za-z0-9_-]{22})_[A-Za-z0-9_-]{43}$/

/** The tenant a bearer of operators names; null when it is none. */
export const customerOfOperatorToken = (token: string): CustomerId | null => {
  const packed = shape.exec(token)?.[1]
  if (!packed) return null
  const hex = Buffer.from(packed, 'base64url').toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as CustomerId
}
