import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

export const createJoinToken = () => randomBytes(32).toString('base64url')
/** What is kept of a token of 256 random bits. */
export const hashJoinToken = (token: string) => createHash('sha256').update(token).digest('hex')

export const createCode = () => String(randomInt(1_000_000)).padStart(6, '0')

/** What is kept of a code: six digits are soon tried through, so a key that is not in the database goes in. */
export const hashCode = (key: string, joinId: string, code: string) =>
  createHmac('sha256', key).update(`${joinId}\n${code}`).digest('hex')

/** Whether a code is the kept one; without a kept one none is, after the same work. */
export const isCode = (key: string, joinId: string, code: string, kept: string | null) => {
  const given = Buffer.from(hashCode(key, joinId, code), 'hex')
  const due = kept === null ? Buffer.alloc(given.length) : Buffer.from(kept, 'hex')
  return timingSafeEqual(given, due) && kept !== null
}
