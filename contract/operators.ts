import * as z from 'zod/mini'
import { customerCode } from './ids.ts'

/**
 * The scopes of an operator token. A token has at least one, and expires unless created without
 * expiry.
 */
export const operatorScope = z.enum(['analytics:read', 'videos:read', 'videos:write'])
export type OperatorScope = z.output<typeof operatorScope>

/** The holder of an operator token: a program of the store's operators. */
export const operator = z.object({
  name: z.string(),
  customerCode,
  scopes: z.array(operatorScope),
  createdAt: z.iso.datetime(),
  /** Null where the token is valid until it is revoked. */
  expiresAt: z.nullable(z.iso.datetime()),
})
