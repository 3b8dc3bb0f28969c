import { withTenant } from '#api/db/with-tenant.ts'
import type { GivingEnv } from '#api/domain/videos/give-video.ts'
import { roomLeft } from '#api/domain/videos/room.ts'
import type { CallContext } from './call-context.ts'

/** What the verbs that take files in get in place of a context: they copy between their transactions. */
export const givingEnv = ({
  deps,
  customer,
  locale,
  actor,
  log,
  requestId,
}: Pick<CallContext, 'deps' | 'customer' | 'locale' | 'actor' | 'log' | 'requestId'>): GivingEnv => ({
  ...{ customer, sources: deps.sources, dataFolder: deps.dataFolder, roomLeft: () => roomLeft(deps) },
  inTransaction: (work) =>
    withTenant(deps.pool, customer.id, (db) =>
      work({ customer, locale, actor, db, clock: deps.clock, log, requestId }),
    ),
})
