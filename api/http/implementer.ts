import { implement } from '@orpc/server'
import type { CallMeta } from '#contract/calls/call.ts'
import { contract } from '#contract/index.ts'
import type { CallContext } from './call-context.ts'
import { CallError } from './problem.ts'

/** Areas a members-only store still answers to guests: what its pages outside of the login need. */
const openToGuests = new Set(['tenancy', 'accounts', 'joining', 'content'])

/** The status of the tenant and the sort of caller are checked here, once for all calls, from what the contract says of each. */
export const os = implement(contract)
  .$context<CallContext>()
  .use(({ context: { customer, actor, operator }, procedure, path, next }) => {
    const { access } = procedure['~orpc'].meta as CallMeta
    const [area = '', call] = path
    if (area !== 'tenancy') {
      if (!customer.useCustomer) throw new CallError('CONTRACT_EXPIRED')
      // Operators get a closed store ready.
      if (!customer.useSite && access !== 'operator') throw new CallError('SITE_DISABLED')
    }
    if (access === 'operator') {
      if (!operator) throw new CallError('UNAUTHORIZED')
      return next()
    }
    if (actor.kind === 'GUEST') {
      const membersOnly = customer.settings.operation.useLogin && !openToGuests.has(area) && call !== 'categories'
      if (access === 'member' || membersOnly) throw new CallError('UNAUTHORIZED')
    }
    return next()
  })
