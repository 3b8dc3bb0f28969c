import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { hash, verify } from '@node-rs/argon2'
import { newId } from '#api/platform/db/columns.ts'
import {
  type CustomerId,
  customerId as customerIdSchema,
  type GuestId,
  guestId as guestIdSchema,
} from '#contract/ids.ts'

const algorithm = 'aes-256-gcm'
const version = 'v1'
const keyOf = (secret: string) => createHash('sha256').update(secret).digest()

/**
 * Encrypts a value that the database must not store as plain text: a card token, a refund account
 * or a provider's secret. Take `secret` from `secretFor`. Each call returns a different result for
 * the same text, and `decrypt` detects changes.
 */
export const encrypt = (secret: string, text: string): string => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv(algorithm, keyOf(secret), nonce)
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return [version, ...[nonce, cipher.getAuthTag(), encrypted].map((part) => part.toString('base64url'))].join('.')
}

/**
 * Returns the plain text.
 *
 * @throws where the text was changed or encrypted with another secret
 */
export const decrypt = (secret: string, encrypted: string): string => {
  const [mark, nonce = '', tag = '', text = ''] = encrypted.split('.')
  if (mark !== version) throw new Error('The text was not encrypted by this version')
  const decipher = createDecipheriv(algorithm, keyOf(secret), Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
  decipher.setAuthTag(Buffer.from(tag, 'base64url'))
  return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8')
}

/**
 * Derives a separate secret for each use from the installation's secret, so that one leaked secret
 * does not expose the others.
 */
export const secretFor = (
  secret: string,
  use:
    | 'media'
    | 'sandbox webhooks'
    | 'payment pages'
    | 'join codes'
    | 'sealed columns'
    | 'known devices'
    | 'recovery codes'
    | 'staff password resets'
    | 'first store'
    | 'passkey challenges',
) => createHmac('sha256', secret).update(use).digest('base64url')

/**
 * Resolves or rejects no sooner than after `milliseconds`, so that the response time does not
 * reveal what the work has found. Choose a time longer than the work normally takes.
 */
export const atLeast = async <Answer>(milliseconds: number, work: () => Promise<Answer>): Promise<Answer> => {
  const [done] = await Promise.allSettled([work(), sleep(milliseconds)])
  if (done.status === 'rejected') throw done.reason
  return done.value
}

/** Encodes UUIDs as base64url, 16 bytes each. */
export const packUuids = (ids: readonly string[]): string =>
  Buffer.from(ids.map((id) => id.replaceAll('-', '')).join(''), 'hex').toString('base64url')

/** Decodes the UUIDs of `packUuids`. Ignores an incomplete UUID at the end. */
export const unpackUuids = (packed: string): string[] =>
  (Buffer.from(packed, 'base64url').toString('hex').match(/.{32}/g) ?? []).map((hex) =>
    hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  )

/**
 * Returns the format of a kind of token: a prefix, the tenant's id and 256 random bits. The
 * prefixes differ, so that a token of one kind is never accepted as another. The id allows
 * rejecting a token of another tenant without a query; only the random part authenticates.
 */
export const createTokenFormat = (prefix: string) => {
  const pattern = new RegExp(`^${prefix}_([A-Za-z0-9_-]{22})_[A-Za-z0-9_-]{43}$`)
  return {
    create: (customerId: CustomerId): string =>
      `${prefix}_${packUuids([customerId])}_${randomBytes(32).toString('base64url')}`,
    /** The tenant of a token; null if the format does not match. */
    customerOf: (token: string): CustomerId | null => {
      const [id] = unpackUuids(pattern.exec(token)?.[1] ?? '')
      return customerIdSchema.safeParse(id).data ?? null
    },
  }
}

/** Crockford's alphabet has no I, L, O or U, so that a code can be read out on the phone. */
const codeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Returns random characters for a code that people read and type. */
export const randomCode = (length: number): string =>
  Array.from({ length }, () => codeAlphabet.charAt(randomInt(codeAlphabet.length))).join('')

/** From the first to the last code that begins, or end of a code that is, as typed. */
export interface CodeRange {
  isEnd: boolean
  first: string
  last: string
}

/**
 * Returns the codes that begin with `start`, in the form of `template`: 9 stands for a digit, Z for
 * a character of `randomCode`. All codes of a form have one length, so that an index finds them in
 * every collation. Null for a start of no such code, or one shorter than `shortest`.
 */
export const codesFrom = (start: string, template: string, shortest: number): CodeRange | null => {
  const isPlace = (place: string | undefined, each: string) =>
    place === '9' ? /\d/.test(each) : place === 'Z' ? codeAlphabet.includes(each) : place === each
  if (start.length < shortest || ![...start].every((each, at) => isPlace(template[at], each))) return null
  const rest = template.slice(start.length)
  return { isEnd: false, first: start + rest.replaceAll(/[9Z]/g, '0'), last: start + rest }
}

/**
 * Returns the six random characters that end a code, as typed in either case; null for a text that
 * cannot be them. The tables of codes have indexes on `right(code, 6)`.
 */
export const codeEndOf = (text: string): CodeRange | null => {
  const end = text.toUpperCase()
  return end.length === 6 && [...end].every((each) => codeAlphabet.includes(each))
    ? { isEnd: true, first: end, last: end }
    : null
}

const guestSignatureOf = (secret: string, customerId: CustomerId, guestId: GuestId) =>
  createHmac('sha256', secret).update(`guest\n${customerId}\n${guestId}`).digest('base64url')

/**
 * Creates a guest token: an id and its signature, bound to the tenant. Guests cannot forge an id.
 */
export const createGuestToken = (secret: string, customerId: CustomerId) => {
  const guestId = newId<GuestId>()
  return { guestId, token: `${guestId}.${guestSignatureOf(secret, customerId, guestId)}` }
}

/** The guest id of a token; null if the signature is not valid for this tenant. */
export const readGuestToken = (secret: string, customerId: CustomerId, token: string): GuestId | null => {
  const [id, signature = ''] = token.split('.')
  const { data: guestId } = guestIdSchema.safeParse(id)
  if (!guestId) return null
  const due = Buffer.from(guestSignatureOf(secret, customerId, guestId))
  const offered = Buffer.from(signature)
  return offered.length === due.length && timingSafeEqual(offered, due) ? guestId : null
}

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** Equal passwords may be typed as different code points. */
const normalized = (password: string) => password.normalize('NFKC')

/** Returns the hash of a password as a PHC string with its own salt and cost. */
export const hashPassword = (password: string) => hash(normalized(password), cost)

/** Compared if no account has the email, so that the response takes as long as for a member. */
const placeholderHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Checks a password against the stored hash. Without a hash it takes as long and returns false. */
export const verifyPassword = async (password: string, storedHash: string | null) =>
  (await verify(storedHash ?? placeholderHash, normalized(password))) && storedHash !== null
