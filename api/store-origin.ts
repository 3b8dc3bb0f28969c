import type { Customer } from './context.ts'
import { readHosts } from './db/queries/customers.ts'
import type { Deps } from './deps.ts'

/** The address a store is reached by when no request says it: its own, the installation's, or its host's. */
export const storeOriginOf = async (
  { pool, publicUrl, originOfHost }: Pick<Deps, 'pool' | 'publicUrl' | 'originOfHost'>,
  { id, settings }: Pick<Customer, 'id' | 'settings'>,
): Promise<string> => {
  if (settings.seo.publicUrl) return new URL(settings.seo.publicUrl).origin
  if (publicUrl) return publicUrl
  const [host = 'localhost'] = await readHosts(pool, id)
  return originOfHost(host)
}
