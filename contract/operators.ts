import * as z from 'zod/mini'
import { customerCode } from './ids.ts'

/** What an operator token may do. A token has at least one of them, and an end unless its maker decided otherwise. */
export const operatorScope = z.enum(['analytics:read', 'videos:read', 'videos:write'])
export type OperatorScope = z.output<typeof operatorScope>

/** Whose bearer a call carries: a program of the store's operators. */
export const operator = z.object({
  name: z.string(),
  customerCode,
  scopes: z.array(operatorScope),
  createdAt: z.iso.datetime(),
  /** Null: until it is revoked. */
  expiresAt: z.nullable(z.iso.datetime()),
})
