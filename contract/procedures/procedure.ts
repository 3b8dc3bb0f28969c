import { oc } from '@orpc/contract'
import type { Permission } from '../permissions.ts'

/**
 * Who may call a procedure. `public`: anyone. `guest`: anyone, and the answer may depend on the
 * guest token. `member`: a bearer token of this tenant. `operator`: a person of this tenant's
 * staff, or a program with an operator token, who has the permission. `staff`: a person of the
 * staff alone. The API enforces this field, and the tenancy test reads it.
 */
export type Access = 'public' | 'guest' | 'member' | 'operator' | 'staff'

export interface ProcedureMeta {
  access: Access
  /** Procedures of operators: the permission that the caller must have. */
  permission?: Permission
  /** A person needs a session that was confirmed with a second factor, whatever the permission. */
  secondFactor?: boolean
  /** Writes that move money take an Idempotency-Key header. */
  idempotent?: boolean
  /** Changes of what others change too take the version that was read, in an If-Match header. */
  versioned?: boolean
}

const base = oc.$meta<ProcedureMeta>({ access: 'public' })

/**
 * Begins a procedure of the customer-scoped API. `path` is below /api/v1/customers/{customerCode}.
 */
export const procedure = (
  access: Access,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: `/${string}`,
  docs: {
    tag: string
    summary: string
    description?: string
    status?: 200 | 201 | 204
    idempotent?: boolean
    versioned?: boolean
    permission?: Permission
    secondFactor?: boolean
  },
) =>
  base
    .meta({
      access,
      ...(docs.idempotent && { idempotent: true }),
      ...(docs.versioned && { versioned: true }),
      ...(docs.permission && { permission: docs.permission }),
      ...(docs.secondFactor && { secondFactor: true }),
    })
    .route({
      method,
      path,
      tags: [docs.tag],
      summary: docs.summary,
      ...(docs.description ? { description: docs.description } : {}),
      successStatus: docs.status ?? 200,
    })

/** Returns the procedure that counts the objects that match the filters of a console list. */
export const countProcedure = (list: string, permission: Permission, name = list.replaceAll('-', ' ')) =>
  procedure('operator', 'GET', `/admin/counts/${list}`, {
    tag: 'Admin: counts',
    permission,
    summary: `Count ${name}`,
    description:
      'Returns how many objects fit the filters of the list: at most 10,000, and whether there are more. A page of the list does not wait for it.',
  })
