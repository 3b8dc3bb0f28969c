import * as z from 'zod/mini'
import { customerCode } from './ids.ts'

/** Whose bearer a call carries: a program of the store's operators. */
export const operator = z.object({
  name: z.string(),
  customerCode,
  createdAt: z.iso.datetime(),
  /** Null: until it is revoked. */
  expiresAt: z.nullable(z.iso.datetime()),
})
