import { randomUUID } from 'node:crypto'
import { traverseContractProcedures } from '@orpc/server'
import pg from 'pg'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { prepareDatabase } from '#api/platform/db/migrate.ts'
import { customerBase } from '#contract/http.ts'
import { type Permission, storePermissions } from '#contract/permissions.ts'
import { contract } from '#contract/procedures/contract.ts'
import type { ProcedureMeta } from '#contract/procedures/procedure.ts'
import { createFullTenant, type FullTenant } from '#tests/support/full-tenant.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'
import { probes } from './tenancy-probes.ts'

const api = createTestApi()
let first: FullTenant
let second: FullTenant
let ownTokens: Record<string, string>

beforeAll(async () => {
  first = await createFullTenant(api, 'amber')
  second = await createFullTenant(api, 'violet')
  ownTokens = { operator: first.operator.token, staff: first.staff.token }
}, 60_000)

const calls: { name: string; method: string; path: string; access: string; permission: Permission | undefined }[] = []
traverseContractProcedures({ router: contract, path: [] }, ({ contract: call, path }) => {
  const { method = 'GET', path: address = '/' } = call['~orpc'].route
  const { access, permission } = call['~orpc'].meta as ProcedureMeta
  calls.push({ name: path.join('.'), method, path: address, access, permission })
})

/**
 * A token that the procedure accepts. Signing out is tested too, so every procedure gets a session
 * of its own.
 */
const tokenFor = async (access: string) => {
  if (access === 'operator') return first.operator.token
  if (access === 'staff') return (await first.createStaff('OWNER')).token
  const { email } = first.member
  const { token } = await first.guest.identity.login({ email, password: 'correct horse battery' })
  return token
}

/** Calls a procedure of the first store about objects of the second. */
const expectNothingForeign = async (name: string, ownClient: ReturnType<typeof api.client>) => {
  const probe = probes[name]
  if (!probe) throw new Error(`${name} has no probe`)
  if (probe.expects === 'NOT_FOUND') {
    expect(await failureOf(probe.attempt(ownClient, second))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    return
  }
  const answer = JSON.stringify((await probe.attempt(ownClient, second)) ?? null)
  for (const foreign of [second.mark, second.id, second.product.id, ...Object.values(second.ids)])
    expect(answer).not.toContain(foreign)
}

describe('every procedure of the contract', () => {
  test('has a probe against another tenant’s objects, and no probe is left over', () => {
    expect(Object.keys(probes).sort()).toEqual(calls.map((call) => call.name).sort())
  })

  describe.each(calls)('$name', ({ name, method, path, access, permission }) => {
    test('answers nothing of another tenant’s objects', async () => {
      const token = await tokenFor(access)
      await expectNothingForeign(name, api.client(first.code, { token, idempotencyKey: randomUUID() }))
    })

    test('refuses the token of another customer', async () => {
      const request = new Request(
        `${api.origin}${customerBase(second.code)}${path.replace(/\{[^}]+\}/g, first.product.id)}`,
        {
          method,
          headers: {
            authorization: `Bearer ${ownTokens[access] ?? first.member.token}`,
            'content-type': 'application/json',
            'idempotency-key': randomUUID(),
          },
          ...(method === 'GET' ? {} : { body: '{}' }),
        },
      )
      const response = await api.fetch(request)
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({ code: 'TENANT_MISMATCH' })
    })

    test.runIf(method === 'GET' && !['operator', 'staff'].includes(access))(
      'answers a page, without HTTP, nothing of another tenant’s objects',
      async () => {
        const token = await tokenFor(access)
        await expectNothingForeign(name, api.client(first.code, { token, fetch: api.forRequest() }))
      },
    )

    test('is called without HTTP by those who may call it, if it reads', async () => {
      const input = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, key]) => [key, first.product.id]))
      const failureOfRead = async (customerCode: string, token?: string) => {
        const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` })
        const answer = await api
          .forRequest()
          .read({ customerCode, path: name.split('.'), input, headers, origin: api.origin })
        return answer && 'problem' in answer ? { status: answer.status, code: answer.problem.code } : answer
      }
      if (method !== 'GET' || access === 'operator' || access === 'staff') {
        expect(await failureOfRead(first.code, ownTokens[access] ?? first.member.token)).toBeUndefined()
        return
      }
      const foreign = await failureOfRead(second.code, first.member.token)
      // A file is sent over HTTP.
      if (name === 'billing.receiptPdf') expect(foreign).toBeUndefined()
      else expect(foreign).toEqual({ status: 403, code: 'TENANT_MISMATCH' })
      if (access === 'member' && foreign)
        expect(await failureOfRead(first.code)).toEqual({ status: 401, code: 'UNAUTHORIZED' })
    })

    test('is never cached unless its answer is the same for everyone', async () => {
      const token = await tokenFor(access)
      const response = await api.fetch(
        new Request(`${api.origin}${customerBase(first.code)}${path.replace(/\{[^}]+\}/g, first.product.id)}`, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'idempotency-key': randomUUID(),
          },
          ...(method === 'GET' ? {} : { body: '{}' }),
        }),
      )
      const shared = access === 'public' && response.ok
      expect(response.headers.get('cache-control')).toBe(shared ? 'no-cache' : 'no-store')
    })

    const answerTo = (headers: Record<string, string>) =>
      api.fetch(
        new Request(`${api.origin}${customerBase(first.code)}${path.replace(/\{[^}]+\}/g, first.product.id)}`, {
          method,
          headers: { 'content-type': 'application/json', ...headers },
          ...(method === 'GET' ? {} : { body: '{}' }),
        }),
      )

    if (access !== 'public' && access !== 'guest')
      test('asks a guest to sign in', async () => {
        const response = await answerTo({})
        expect(response.status).toBe(401)
        expect(await response.json()).toMatchObject({ code: 'UNAUTHORIZED' })
      })

    if (permission)
      test('is refused to an operator token without its permission', async () => {
        const others = storePermissions.filter((one) => one !== permission)
        const { token } = await first.createOperator(`without ${name}`, others)
        const response = await answerTo({ authorization: `Bearer ${token}` })
        expect(response.status).toBe(403)
        expect(await response.json()).toMatchObject({ code: 'FORBIDDEN', data: { permission, permissions: others } })
      })

    if (access === 'staff')
      test('is refused to an operator token', async () => {
        const response = await answerTo({ authorization: `Bearer ${first.operator.token}` })
        expect(response.status).toBe(403)
      })

    if (access === 'operator' || access === 'staff')
      test('is refused to a member', async () => {
        const response = await answerTo({ authorization: `Bearer ${first.member.token}` })
        expect(response.status).toBe(403)
        expect(await response.json()).toMatchObject({ code: 'FORBIDDEN' })
      })

    if (access === 'member')
      test('is refused to an operator', async () => {
        const response = await answerTo({ authorization: `Bearer ${first.operator.token}` })
        expect(response.status).toBe(401)
      })
  })
})

describe('the database itself', () => {
  test('returns no row of another tenant to a statement without a tenant filter', async () => {
    const tables = await first.within(async (db) => {
      const { rows } = await db.$client.query<{ name: string }>(
        `SELECT table_name AS name FROM information_schema.columns
          WHERE table_schema = 'public' AND column_name = 'customer_id' AND table_name NOT IN ('customers', 'customer_codes', 'customer_domains')`,
      )
      return rows.map((row) => row.name)
    })
    expect(tables.length).toBeGreaterThan(20)
    await first.within(async (db) => {
      for (const table of tables) {
        const { rows } = await db.$client.query<{ foreign: number }>(
          `SELECT count(*) AS foreign FROM ${pg.escapeIdentifier(table)} WHERE customer_id <> $1`,
          [first.id],
        )
        expect([table, rows[0]?.foreign]).toEqual([table, 0])
      }
    })
  })

  test('returns no row outside of a tenant’s transaction', async () => {
    const { rows } = await api.deps.pool.query<{ products: number }>('SELECT count(*) AS products FROM products')
    expect(rows[0]?.products).toBe(0)
  })

  test('refuses to write a row for another tenant', async () => {
    const write = first.within((db) =>
      db.$client.query('INSERT INTO likes (customer_id, member_id, product_id) VALUES ($1, $2, $3)', [
        second.id,
        second.member.id,
        second.free.id,
      ]),
    )
    await expect(write).rejects.toThrow(/row-level security/)
  })

  test('has policies on every table with a tenant, which also bind its owner', async () => {
    const { rows } = await api.owner.execute<{ name: string; enabled: boolean; forced: boolean; policies: number }>(
      `SELECT c.relname AS name, c.relrowsecurity AS enabled, c.relforcerowsecurity AS forced,
              (SELECT count(*)::int FROM pg_policy p WHERE p.polrelid = c.oid) AS policies
         FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'customer_id'
        WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
    )
    for (const table of rows) expect(table).toMatchObject({ enabled: true })
    expect(rows.filter((table) => table.policies === 0)).toEqual([])
    // These are read through a function that names the tenant, or before a tenant is known.
    const open = rows.filter((table) => !table.forced).map((table) => table.name)
    expect(open.sort()).toEqual([
      'caption_passages',
      'customer_codes',
      'customer_domains',
      'customers',
      'product_search',
    ])
  })

  test('has the tenant as the first column of every index of a tenant’s table', async () => {
    const { rows } = await api.owner.execute<{ name: string; leads: string }>(
      `SELECT i.indexrelid::regclass::text AS name, a.attname AS leads
         FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid AND t.relnamespace = 'public'::regnamespace
         JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
        WHERE EXISTS (SELECT FROM pg_attribute c WHERE c.attrelid = t.oid AND c.attname = 'customer_id')`,
    )
    // Codes and hosts are looked up before a tenant is known. Search tokens contain the tenant.
    const exceptions = [
      'customers_code',
      'customer_codes_code',
      'customer_domains_host',
      'product_search_tokens',
      'caption_passages_tokens',
    ]
    // Due work is looked up for all tenants.
    exceptions.push('payments_transfers', 'subscriptions_next_step', 'product_options_next_price')
    expect(rows.filter((index) => index.leads !== 'customer_id' && !exceptions.includes(index.name))).toEqual([])
  })

  test('is served by a role that owns nothing and cannot bypass a policy', async () => {
    const { rows } = await api.deps.pool.query(
      `SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
              (SELECT count(*) FROM pg_class WHERE relowner = r.oid) AS owned FROM pg_roles r WHERE rolname = current_user`,
    )
    expect(rows[0]).toEqual({
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      owned: 0,
    })
  })

  test('is not opened by a role that could bypass policies', async () => {
    const { ownerUrl } = inject('database')
    await expect(prepareDatabase({ url: ownerUrl, ownerUrl: `${ownerUrl}?application_name=owner` })).rejects.toThrow(
      /so the database would not isolate tenants/,
    )
  })
})

describe('a tenant', () => {
  test('that does not exist is answered with 404 by every procedure', async () => {
    expect(await failureOf(api.client('no-such-store').tenancy.contract())).toMatchObject({ status: 404 })
    expect(await failureOf(api.client('NOT a code').tenancy.contract())).toMatchObject({ status: 404 })
  })

  test('is found by its host, with any port and in any case', async () => {
    const resolve = async (host: string) => {
      const response = await api.fetch(
        new Request(`${api.origin}/api/v1/tenants/resolve?host=${encodeURIComponent(host)}`),
      )
      return ((await response.json()) as { customerCode: string | null }).customerCode
    }
    expect(await resolve(`${first.code.toUpperCase()}.test:3000`)).toBe(first.code)
    expect(await resolve('nobody.test')).toBeNull()
  })

  test('whose contract has ended returns its contract and settings, and nothing else', async () => {
    const tenant = await createTenant(api, { useCustomer: false })
    expect(await tenant.guest.tenancy.contract()).toMatchObject({ useCustomer: false, useSite: true })
    expect((await tenant.guest.tenancy.siteSettings()).base.name).toBe('Test store')
    expect(await failureOf(tenant.guest.catalog.search({}))).toMatchObject({ status: 403, code: 'CONTRACT_EXPIRED' })
  })

  test('whose site is closed returns SITE_DISABLED', async () => {
    const tenant = await createTenant(api, { useSite: false })
    expect(await failureOf(tenant.guest.content.faq({}))).toMatchObject({ status: 403, code: 'SITE_DISABLED' })
  })

  test('that is for members alone returns its content and sign-in to guests, and nothing of the catalogue', async () => {
    const { plainSettings } = await import('#tests/support/settings.ts')
    const settings = plainSettings()
    settings.operation.useLogin = true
    const tenant = await createTenant(api, { settings })
    const member = await tenant.createMember()
    const product = await tenant.createProduct()
    expect((await tenant.guest.content.pages()).items).toEqual([])
    expect((await tenant.guest.catalog.categories()).items).toEqual([])
    expect(await failureOf(tenant.guest.catalog.search({}))).toMatchObject({ status: 401 })
    expect(await failureOf(tenant.guest.catalog.product({ id: product.id }))).toMatchObject({ status: 401 })
    expect((await member.client.catalog.search({})).total).toBe(1)
  })

  test('that changes a price returns it at once', async () => {
    const tenant = await createTenant(api)
    const product = await tenant.createProduct({ price: 1000 })
    expect((await tenant.guest.catalog.search({})).items[0]?.price?.amount).toBe(1000)
    await tenant.within((db) =>
      db.$client.query('UPDATE products SET price_amount = 700 WHERE customer_id = $1 AND id = $2', [
        tenant.id,
        product.id,
      ]),
    )
    expect((await tenant.guest.catalog.search({})).items[0]?.price?.amount).toBe(700)
  })
})
