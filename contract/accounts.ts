import * as z from 'zod/mini'
import { locale } from './enumerations.ts'
import { memberId, sessionId } from './ids.ts'

export const credentials = z.object({
  email: z.email().check(z.maxLength(254)),
  password: z.string().check(z.minLength(1), z.maxLength(200)),
})

/** `token` is opaque, 256 bits; it is shown once and kept only as a hash. */
export const loginAnswer = z.object({
  tokenType: z.literal('Bearer'),
  token: z.string(),
  expiresAt: z.iso.datetime(),
})
export type LoginAnswer = z.output<typeof loginAnswer>

export const me = z.object({
  id: memberId,
  email: z.string(),
  name: z.string(),
  locale: z.nullable(locale),
  usePlan: z.object({ partnership: z.boolean(), regular: z.boolean() }),
  cartCount: z.int(),
  createdAt: z.iso.datetime(),
})
export type Me = z.output<typeof me>

export const session = z.object({
  id: sessionId,
  current: z.boolean(),
  device: z.string(),
  address: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
})
export type Session = z.output<typeof session>
