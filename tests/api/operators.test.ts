import { asc } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { operatorTokens } from '#api/modules/identity/identity.schema.ts'
import { dayMilliseconds as day } from '#api/platform/clock.ts'
import { audit } from '#api/platform/db/platform.schema.ts'
import { customerBase } from '#contract/http.ts'
import { permission } from '#contract/permissions.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const command = quickCommandOf(api)
const timeout = 60_000

const run = (tenant: Tenant, [action = '', ...rest]: string[]) =>
  command(['operator-token', action, '-c', tenant.code, '--by', 'Jo', ...rest])
const list = (tenant: Tenant) => command(['operator-tokens', '-c', tenant.code])

test(
  'a token is shown once, authorizes operator procedures until it is revoked, and is stored as a hash',
  async () => {
    const tenant = await createTenant(api)
    const made = await run(tenant, ['create', '--name', 'studio-pc', '--scope', 'videos:read'])
    expect(made).toMatchObject({ code: 0 })
    const token = made.out.trim()
    const client = api.client(tenant.code, { token })
    const operator = await client.identity.operator()
    expect(operator).toMatchObject({ name: 'studio-pc', customerCode: tenant.code, scopes: ['videos:read'] })
    // Without --expires the token expires after the default time.
    expect(Date.parse(operator.expiresAt ?? '') - Date.parse(operator.createdAt)).toBe(90 * day)
    const [stored] = await tenant.within((db) => db.select().from(operatorTokens))
    expect(JSON.stringify(stored)).not.toContain(token.slice(-40))

    const twice = await run(tenant, ['create', '--name', 'studio-pc', '--scope', 'videos:read'])
    expect(twice.code).not.toBe(0)
    expect(twice.err).toContain('An active token named studio-pc already exists')
    const unknown = await run(tenant, ['create', '--name', 'other', '--scope', 'orders:delete'])
    expect(unknown.err).toContain(permission.options.join(', '))
    expect((await list(tenant)).out).toMatch(/studio-pc\s+LIVE\s+videos:read/)

    expect(await run(tenant, ['revoke', '--name', 'studio-pc'])).toMatchObject({ code: 0 })
    expect(await failureOf(client.identity.operator())).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect((await list(tenant)).out).toMatch(/studio-pc\s+REVOKED/)
    expect((await run(tenant, ['revoke', '--name', 'studio-pc'])).err).toContain(
      'no active operator token named studio-pc',
    )
    expect(await tenant.within((db) => db.select().from(audit).orderBy(asc(audit.at), asc(audit.id)))).toMatchObject([
      {
        actor: 'admin:Jo',
        action: 'operator-token.created',
        subject: 'operator:studio-pc',
        changes: { permissions: { from: null, to: ['videos:read'] } },
      },
      {
        actor: 'admin:Jo',
        action: 'operator-token.revoked',
        subject: 'operator:studio-pc',
        changes: { permissions: { from: ['videos:read'], to: null } },
      },
    ])
  },
  timeout,
)

test('a token expires, and operators can sign in to a closed store', async () => {
  const tenant = await createTenant(api, { useSite: false })
  const { client } = await tenant.createOperator()
  expect(await client.identity.operator()).toMatchObject({ expiresAt: null })
  const until = new Date(api.clock.now().getTime() + 90 * day).toISOString()
  await tenant.within((db) => db.update(operatorTokens).set({ expiresAt: until }))
  expect(await client.identity.operator()).toMatchObject({ expiresAt: until })
  await tenant.within((db) => db.update(operatorTokens).set({ expiresAt: api.clock.now().toISOString() }))
  expect(await failureOf(client.identity.operator())).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
})

test('an operator token over the rate limit is refused with Retry-After, and other tokens are not', async () => {
  const tenant = await createTenant(api)
  const [busy, quiet] = [await tenant.createOperator('busy'), await tenant.createOperator('quiet')]
  let refused: Response | null = null
  for (let call = 0; call < 1300 && !refused; call++) {
    const response = await api.fetch(
      new Request(`${api.origin}${customerBase(tenant.code)}/operator`, {
        headers: { authorization: `Bearer ${busy.token}` },
      }),
    )
    if (!response.ok) refused = response
  }
  expect(refused?.status).toBe(429)
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await quiet.client.identity.operator()).toMatchObject({ name: 'quiet' })
})

test('the description of the API marks the procedures that take an operator’s bearer', async () => {
  const document = (await (await api.fetch(new Request(`${api.origin}/api/v1/openapi.json`))).json()) as {
    paths: Record<string, { get: { security: object[] } }>
    components: { securitySchemes: Record<string, object> }
  }
  expect(document.paths['/operator']?.get.security).toEqual([{ operator: [] }, { staff: [] }])
  expect(document.components.securitySchemes.operator).toMatchObject({ type: 'http', scheme: 'bearer' })
})
