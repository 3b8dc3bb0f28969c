import { createHash, randomBytes } from 'node:crypto'
import type { CustomerId } from '#contract/ids.ts'

/**
 * A session's token: the tenant, then 256 random bits. The tenant is written in it so that a token on another tenant's address is
 * known for what it is without asking that tenant's rows; it proves nothing, the random part does.
 */
export const createSessionToken = (customerId: CustomerId) =>
  `mq_${Buffer.from(customerId.replaceAll('-', ''), 'hex').toString('base64url')}_${randomBytes(32).toString('base64url')}`

const shape = /^mq_([A-Za-z0-9_-]{22})_([A-Za-z0-9_-]{43})$/

/** The tenant a token names; null when it is no token of ours. */
export const customerOfToken = (token: string): CustomerId | null => {
  const packed = shape.exec(token)?.[1]
  if (!packed) return null
  const hex = Buffer.from(packed, 'base64url').toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as CustomerId
}

/** What is kept of a token: SHA-256, hexadecimal. Enough for 256 random bits; a slow hash is for passwords. */
export const hashSessionToken = (token: string) => createHash('sha256').update(token).digest('hex')
