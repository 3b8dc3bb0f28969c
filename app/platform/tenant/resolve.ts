import { type CustomerCode, customerCode } from '#contract/ids.ts'
import type { InstallationApi } from '~/platform/api/client'
import { tenantFreshness } from '~/platform/constants'

interface Known {
  code: CustomerCode | null
  until: number
}

/**
 * Hosts by tenant, shared by all requests: it holds nothing of a visitor. The contract status, which each request asks for, says whose
 * the host is at that moment (`isStillOwner`), so that a host that was added, moved or removed takes effect with the next request.
 */
const known = new Map<string, Known>()
const mostHosts = 5_000
/** No name in the DNS is longer. */
const longestHost = 253

/**
 * Whose store a request is for: the host's own tenant, else the `customerCode` cookie (only on a host that belongs to no
 * tenant), else the installation's default. Undefined when none of the three names one.
 */
export async function resolveCustomer(
  request: { host: string; cookie: string | undefined; fallback: string | undefined },
  api: InstallationApi,
  now = Date.now(),
): Promise<CustomerCode | undefined> {
  const owner = await ownerOf(request.host, api, now)
  const code = owner ?? valid(request.cookie) ?? valid(request.fallback)
  if (code) return code
  // No store will be asked whose the host is by now.
  forgetHost(request.host)
  return (await ownerOf(request.host, api, now)) ?? undefined
}

/** Whether a host is remembered for the tenant it belongs to by now; it is forgotten where it is not. */
export function isStillOwner(host: string, owner: CustomerCode | null): boolean {
  const remembered = known.get(host)
  if (!remembered || remembered.code === owner) return true
  forgetHost(host)
  return false
}

const forgetHost = (host: string) => known.delete(host)

async function ownerOf(host: string, api: InstallationApi, now: number): Promise<CustomerCode | null> {
  if (host.length > longestHost) return null
  const remembered = known.get(host)
  if (remembered && remembered.until > now) return remembered.code
  const { customerCode: code } = await api.resolveTenant({ host })
  // Any name may be sent as a host, so the memory is bounded.
  if (known.size >= mostHosts) known.clear()
  known.set(host, { code, until: now + tenantFreshness })
  return code
}

function valid(code: string | undefined): CustomerCode | undefined {
  const parsed = customerCode.safeParse(code)
  return parsed.success ? parsed.data : undefined
}
