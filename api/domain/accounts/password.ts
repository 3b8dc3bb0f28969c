import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19 * 1024, passes: 2, parallelism: 1 }
const tagLength = 32

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
const header = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`

const hashWith = (password: string, nonce: Buffer, { memory, passes, parallelism }: typeof cost) =>
  derive('argon2id', { message: password.normalize('NFKC'), nonce, memory, passes, parallelism, tagLength })

/** A password as it is kept: a PHC string that carries its own salt and cost. */
export const hashPassword = async (password: string) => {
  const nonce = randomBytes(16)
  return `${header}$${base64(nonce)}$${base64(await hashWith(password, nonce, cost))}`
}

const shape = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** What a password is compared with where nobody has that e-mail: the answer takes as long as for a member. */
const nobody = `${header}$${base64(Buffer.alloc(16))}$${base64(Buffer.alloc(tagLength))}`

/** Whether a password is the kept one. Without a kept one the same work is done, and the answer is no. */
export const verifyPassword = async (password: string, kept: string | null) => {
  const [, memory, passes, parallelism, salt = '', hash = ''] = shape.exec(kept ?? nobody) ?? []
  const due = Buffer.from(hash, 'base64')
  const given = await hashWith(password, Buffer.from(salt, 'base64'), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  })
  return due.length === given.length && timingSafeEqual(due, given) && kept !== null
}
