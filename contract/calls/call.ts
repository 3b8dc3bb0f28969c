import { oc } from '@orpc/contract'
import type { OperatorScope } from '../operators.ts'

/**
 * Who may make a call. `public`: anyone. `guest`: anyone, and the answer may depend on the guest token. `member`: a bearer
 * token of this tenant. `operator`: a bearer token of this tenant's operators. The API enforces it from here, and the tenancy test
 * reads it from here.
 */
export type Access = 'public' | 'guest' | 'member' | 'operator'

export interface CallMeta {
  access: Access
  /** Calls of operators: what the token must be allowed to do. */
  scope?: OperatorScope
  /** Writes that move money take an Idempotency-Key header. */
  idempotent?: boolean
}

const base = oc.$meta<CallMeta>({ access: 'public' })

/** A call of the customer-scoped API; `path` stands below /api/v1/customers/{customerCode}. */
export const call = (
  access: Access,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: `/${string}`,
  words: {
    tag: string
    summary: string
    description?: string
    status?: 200 | 201 | 204
    idempotent?: boolean
    scope?: OperatorScope
  },
) =>
  base
    .meta({ access, ...(words.idempotent && { idempotent: true }), ...(words.scope && { scope: words.scope }) })
    .route({
      method,
      path,
      tags: [words.tag],
      summary: words.summary,
      ...(words.description ? { description: words.description } : {}),
      successStatus: words.status ?? 200,
    })
