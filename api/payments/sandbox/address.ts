import type { CustomerId } from '#contract/ids.ts'

const pack = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')
const unpack = (packed: string) =>
  Buffer.from(packed, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** The address of a hosted page. It names merchant and payment, so that one look-up by key finds it. */
export const pageAddress = (customerId: CustomerId, id: string) => `/sandbox/pay/${pack(customerId)}${pack(id)}`

/** The address of a page on which a card is registered. */
export const registrationAddress = (customerId: CustomerId, id: string) =>
  `/sandbox/cards/${pack(customerId)}${pack(id)}`

/** Reads the last part of an address; null where it cannot be one. */
export const readPageAddress = (address: string): { customerId: CustomerId; id: string } | null => {
  const [, customerId, payment] = address.match(/^([\w-]{22})([\w-]{22})$/) ?? []
  if (!customerId || !payment) return null
  return { customerId: unpack(customerId) as CustomerId, id: unpack(payment) }
}
