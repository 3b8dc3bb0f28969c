import { implement } from '@orpc/server'
import type { Access, CallMeta } from '#contract/calls/call.ts'
import { contract } from '#contract/index.ts'
import type { CallContext } from './call-context.ts'
import { CallError } from './problem.ts'

/** Areas a members-only store still answers to guests: what its pages outside of the login need. */
const openToGuests = new Set(['tenancy', 'accounts', 'joining', 'content'])

/**
 * Checks the tenant's status and the kind of caller against what the contract says of a call.
 *
 * @throws CallError
 */
export const assertAccess = (
  { customer, actor, operator, preview }: Pick<CallContext, 'customer' | 'actor' | 'operator' | 'preview'>,
  { access, path: [area = '', call] }: { access: Access; path: readonly string[] },
) => {
  if (area !== 'tenancy') {
    if (!customer.useCustomer) throw new CallError('CONTRACT_EXPIRED')
    // Operators get a closed store ready.
    if (!customer.useSite && access !== 'operator') throw new CallError('SITE_DISABLED')
    if (!customer.opened && !preview && access !== 'operator') throw new CallError('STORE_NOT_OPEN')
  }
  if (access === 'operator') {
    if (!operator) throw new CallError('UNAUTHORIZED')
    return
  }
  if (actor.kind === 'GUEST') {
    const membersOnly = customer.settings.operation.useLogin && !openToGuests.has(area) && call !== 'categories'
    if (access === 'member' || membersOnly) throw new CallError('UNAUTHORIZED')
  }
}

/** Access is checked here for the procedure that answers, whatever was found out about the address before its body was read. */
export const os = implement(contract)
  .$context<CallContext>()
  .use(({ context, procedure, path, next }) => {
    assertAccess(context, { access: (procedure['~orpc'].meta as CallMeta).access, path })
    return next()
  })
