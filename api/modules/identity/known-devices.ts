import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { dayMilliseconds } from '#api/platform/clock.ts'
import type { Ctx } from '#api/platform/context.ts'
import { secretFor } from '#api/platform/crypto.ts'
import type { CustomerId } from '#contract/ids.ts'
import { lowerEmail } from './profile.ts'

const deviceDays = 365
/** Minutes that the key of a sign-in link is valid. */
export const linkMinutes = 20
/** The number of accounts one browser remembers, such as a family's. */
const maxDevices = 5

/** The account a proof is bound to. It is invalid for any other account or store. */
export interface Account {
  customerId: CustomerId
  emailLower: string
}

/** The account of an email in this store, whether it exists or not. */
export const accountOf = ({ customer }: Pick<Ctx, 'customer'>, email: string): Account => ({
  customerId: customer.id,
  emailLower: lowerEmail(email),
})

/** The sender of a request, as far as limits distinguish visitors. */
export interface Visitor {
  /** The network address. */
  address: string
  /** The token of the devices on which accounts have signed in, or null. */
  deviceToken: string | null
}

type Kind = 'device' | 'link'

/** `time.id.signature`: the time of issue for a device, of expiry for a link. */
const entry = /^([0-9a-z]{5,12})\.([\w-]{22})\.([\w-]{43})$/

const sign = (key: string, kind: Kind, { customerId, emailLower }: Account, issuedAt: string, id: string) =>
  createHmac('sha256', key).update([kind, customerId, emailLower, issuedAt, id].join('\n')).digest('base64url')

const create = (key: string, kind: Kind, account: Account, milliseconds: number) => {
  const [at, id] = [milliseconds.toString(36), randomBytes(16).toString('base64url')]
  return `${at}.${id}.${sign(key, kind, account, at, id)}`
}

/** The id and time of a proof; null if it is not valid for this account. */
const read = (key: string, kind: Kind, account: Account, proof: string) => {
  const [, at, id, given] = entry.exec(proof) ?? []
  if (!at || !id || !given) return null
  const expected = sign(key, kind, account, at, id)
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected)) ? { id, at: Number.parseInt(at, 36) } : null
}

const entriesOf = (token: string | null) =>
  (token ?? '')
    .split('~')
    .filter((one) => entry.test(one))
    .slice(0, maxDevices)

const keyOf = (secret: string) => secretFor(secret, 'known devices')

/**
 * Returns the id of a device if the account has signed in on it within a year; otherwise null.
 * `token` is the device token of the request.
 */
export const deviceOf = (secret: string, account: Account, token: string | null, now: Date): string | null => {
  for (const one of entriesOf(token)) {
    const device = read(keyOf(secret), 'device', account, one)
    if (device && device.at > now.getTime() - deviceDays * dayMilliseconds) return device.id
  }
  return null
}

/**
 * Returns a device token that proves that the account, and those of the device's earlier token,
 * have signed in on it.
 */
export const createDeviceToken = (secret: string, account: Account, earlier: string | null, now: Date): string => {
  const key = keyOf(secret)
  const others = entriesOf(earlier).filter((one) => !read(key, 'device', account, one))
  return [create(key, 'device', account, now.getTime()), ...others.slice(0, maxDevices - 1)].join('~')
}

/** Creates a key for a mail's link. Its bearer counts as a known device for `linkMinutes`. */
export const createLinkKey = (secret: string, account: Account, now: Date): string =>
  create(keyOf(secret), 'link', account, now.getTime() + linkMinutes * 60_000)

/** Returns the id of a link key that is valid for this account; otherwise null. */
export const linkOf = (secret: string, account: Account, key: string | undefined, now: Date): string | null => {
  const link = key === undefined ? null : read(keyOf(secret), 'link', account, key)
  return link && link.at > now.getTime() ? link.id : null
}
