import { type CustomerCode, customerCode } from '#contract/ids.ts'
import type { InstallationApi } from '~/platform/api/client'
import { tenantFreshness } from '~/platform/constants'

interface CachedHost {
  code: CustomerCode | null
  until: number
}

/**
 * Tenants by host, shared by all requests. Each request's contract status names the host's current
 * tenant (`isStillOwner`), so that a host that was added, moved or removed takes effect with the
 * next request.
 */
const cachedHosts = new Map<string, CachedHost>()
const maxHosts = 5_000
/** The longest name in the DNS. */
const longestHost = 253

/**
 * Resolves the tenant of a request: the host's own, else the `customerCode` cookie (only on a host
 * without a tenant), else the installation's default, else undefined.
 */
export async function resolveCustomer(
  request: { host: string; cookie: string | undefined; fallback: string | undefined },
  api: InstallationApi,
  now = Date.now(),
): Promise<CustomerCode | undefined> {
  const owner = await ownerOf(request.host, api, now)
  const code = owner ?? valid(request.cookie) ?? valid(request.fallback)
  if (code) return code
  // Without a store, no contract status will correct the cached host.
  evictHost(request.host)
  return (await ownerOf(request.host, api, now)) ?? undefined
}

/** Whether the cached tenant of a host is current. Removes it from the cache if not. */
export function isStillOwner(host: string, owner: CustomerCode | null): boolean {
  const cached = cachedHosts.get(host)
  if (!cached || cached.code === owner) return true
  evictHost(host)
  return false
}

const evictHost = (host: string) => cachedHosts.delete(host)

async function ownerOf(host: string, api: InstallationApi, now: number): Promise<CustomerCode | null> {
  if (host.length > longestHost) return null
  const cached = cachedHosts.get(host)
  if (cached && cached.until > now) return cached.code
  const { customerCode: code } = await api.resolveTenant({ host })
  // Anyone can send any host, so the cache is bounded.
  if (cachedHosts.size >= maxHosts) cachedHosts.clear()
  cachedHosts.set(host, { code, until: now + tenantFreshness })
  return code
}

function valid(code: string | undefined): CustomerCode | undefined {
  const parsed = customerCode.safeParse(code)
  return parsed.success ? parsed.data : undefined
}
