import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

const algorithm = 'aes-256-gcm'
const version = 'v1'
const keyOf = (secret: string) => createHash('sha256').update(secret).digest()

/**
 * Encrypts what may be kept but not read in the database: a card's token, a refund account, a provider's secret. Take `secret` from
 * `secretFor`. The same text is encrypted otherwise each time, and what was changed cannot be opened.
 */
export const encrypt = (secret: string, text: string): string => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv(algorithm, keyOf(secret), nonce)
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return [version, ...[nonce, cipher.getAuthTag(), encrypted].map((part) => part.toString('base64url'))].join('.')
}

/** The text again. Throws for anything that this secret has not encrypted. */
export const decrypt = (secret: string, encrypted: string): string => {
  const [mark, nonce = '', tag = '', text = ''] = encrypted.split('.')
  if (mark !== version) throw new Error('This was not encrypted here')
  const decipher = createDecipheriv(algorithm, keyOf(secret), Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
  decipher.setAuthTag(Buffer.from(tag, 'base64url'))
  return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8')
}

/** A secret of its own for each use, from the installation's one: what one use leaks opens nothing else. */
export const secretFor = (
  secret: string,
  use: 'media' | 'sandbox webhooks' | 'payment pages' | 'join codes' | 'sealed columns' | 'known devices',
) => createHmac('sha256', secret).update(use).digest('base64url')

/**
 * Answers no sooner than after so many milliseconds, also with a failure: what was done within them cannot be read off the time it
 * took. It is longer than the work ever takes on a machine that keeps up.
 */
export const atLeast = async <Answer>(milliseconds: number, work: () => Promise<Answer>): Promise<Answer> => {
  const [done] = await Promise.allSettled([work(), sleep(milliseconds)])
  if (done.status === 'rejected') throw done.reason
  return done.value
}

/** UUIDs in a row as base64url, 16 bytes each. */
export const packUuids = (ids: readonly string[]): string =>
  Buffer.from(ids.map((id) => id.replaceAll('-', '')).join(''), 'hex').toString('base64url')

/** The UUIDs that `packUuids` put in a row. What is no whole UUID is left out. */
export const unpackUuids = (packed: string): string[] =>
  (Buffer.from(packed, 'base64url').toString('hex').match(/.{32}/g) ?? []).map((hex) =>
    hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  )
