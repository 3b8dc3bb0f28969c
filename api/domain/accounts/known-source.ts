import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { CustomerId } from '#contract/ids.ts'

const deviceDays = 365
const linkMinutes = 20
/** Accounts one browser remembers: a family's. */
const mostDevices = 5

/** What a proof is for: it is worth nothing to another account or store. */
export interface Account {
  customerId: CustomerId
  emailLower: string
}

type Kind = 'device' | 'link'

/** `moment.id.signature`: the moment is of the issue for a device, of the end for a link. */
const entry = /^([0-9a-z]{5,12})\.([\w-]{22})\.([\w-]{43})$/

const sign = (secret: string, kind: Kind, { customerId, emailLower }: Account, moment: string, id: string) =>
  createHmac('sha256', secret).update([kind, customerId, emailLower, moment, id].join('\n')).digest('base64url')

const create = (secret: string, kind: Kind, account: Account, at: number) => {
  const [moment, id] = [at.toString(36), randomBytes(16).toString('base64url')]
  return `${moment}.${id}.${sign(secret, kind, account, moment, id)}`
}

/** The id and the moment of a proof; null where it is none of ours for this account. */
const read = (secret: string, kind: Kind, account: Account, proof: string) => {
  const [, moment, id, given] = entry.exec(proof) ?? []
  if (!moment || !id || !given) return null
  const expected = sign(secret, kind, account, moment, id)
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected)) ? { id, at: Number.parseInt(moment, 36) } : null
}

const entriesOf = (token: string | null) =>
  (token ?? '')
    .split('~')
    .filter((one) => entry.test(one))
    .slice(0, mostDevices)

/** The id of a device on which an account has signed in within a year; null for any other. */
export const knownDevice = (secret: string, account: Account, token: string | null, now: Date): string | null => {
  for (const one of entriesOf(token)) {
    const device = read(secret, 'device', account, one)
    if (device && device.at > now.getTime() - deviceDays * 86_400_000) return device.id
  }
  return null
}

/** A device's token with this account in it, beside the accounts it has of before. */
export const rememberAccount = (secret: string, account: Account, token: string | null, now: Date): string => {
  const others = entriesOf(token).filter((one) => !read(secret, 'device', account, one))
  return [create(secret, 'device', account, now.getTime()), ...others.slice(0, mostDevices - 1)].join('~')
}

/** A key for the link of a mail, which makes whoever opens it as trusted as a known device for some minutes. */
export const createLinkKey = (secret: string, account: Account, now: Date) => ({
  key: create(secret, 'link', account, now.getTime() + linkMinutes * 60_000),
  minutes: linkMinutes,
})

/** The id of a link's key that is still good for this account; null for any other. */
export const linkOf = (secret: string, account: Account, key: string | undefined, now: Date): string | null => {
  const link = key === undefined ? null : read(secret, 'link', account, key)
  return link && link.at > now.getTime() ? link.id : null
}
