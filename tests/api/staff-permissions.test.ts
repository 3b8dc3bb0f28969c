import { randomUUID } from 'node:crypto'
import { traverseContractProcedures } from '@orpc/server'
import { beforeAll, describe, expect, test } from 'vitest'
import { changeTopics } from '#contract/admin/changes.ts'
import { customerBase } from '#contract/http.ts'
import {
  type Permission,
  rolePermissions,
  rolesAt,
  secondFactorPermissions,
  staffRole,
  storePermissions,
} from '#contract/permissions.ts'
import { contract } from '#contract/procedures/contract.ts'
import type { ProcedureMeta } from '#contract/procedures/procedure.ts'
import { createInstallation, createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const roles = staffRole.options
let tenant: Tenant
let other: Tenant
let installation: Tenant
const tokens = new Map<string, string>()

beforeAll(async () => {
  tenant = await createTenant(api)
  other = await createTenant(api)
  installation = await createInstallation(api)
  for (const role of roles) tokens.set(role, (await tenant.createStaff(role)).token)
  for (const role of roles) tokens.set(`installation ${role}`, (await installation.createStaff(role)).token)
  for (const [who, where] of [
    ['unconfirmed', tenant],
    ['unconfirmed at installation', installation],
  ] as const)
    tokens.set(who, (await where.createStaff('OWNER', { isConfirmed: false })).token)
})

const procedures: { name: string; method: string; path: string; meta: ProcedureMeta }[] = []
traverseContractProcedures({ router: contract, path: [] }, ({ contract: procedure, path }) => {
  const { method = 'GET', path: address = '/' } = procedure['~orpc'].route
  const meta = procedure['~orpc'].meta as ProcedureMeta
  if (meta.access === 'operator') procedures.push({ name: path.join('.'), method, path: address, meta })
})

/** The answer to a request whose input is not valid: only refusals before the input count. */
const answerTo = async (who: string, { method, path }: (typeof procedures)[number], store = tenant) => {
  const address = path.replace(/\{[^}]+\}/g, randomUUID())
  const response = await api.fetch(
    new Request(`${api.origin}${customerBase(store.code)}${address}`, {
      method,
      headers: {
        authorization: `Bearer ${tokens.get(who)}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      ...(method === 'GET' ? {} : { body: '{}' }),
    }),
  )
  const body: unknown = response.headers.get('content-type')?.includes('json') ? await response.json() : null
  return { status: response.status, body }
}

test('every procedure of operators names its permission, except those that answer what the caller has', () => {
  const unnamed = procedures.filter(({ meta }) => !meta.permission).map(({ name }) => name)
  // Each part of the first screen, topic of changes, and kind of changes of many has its own.
  const ofKinds = ['count', 'start', 'list', 'get', 'cancel', 'undo', 'retry'].map((name) => `admin.bulk.${name}`)
  expect(unnamed.sort()).toEqual(
    [
      'identity.operator',
      'admin.home',
      'admin.changes',
      'admin.tableJobs.list',
      'admin.tableJobs.cancel',
      ...ofKinds,
    ].sort(),
  )
})

describe.each(procedures)('$name', (procedure) => {
  const { permission } = procedure.meta
  const needed: readonly Permission[] = procedure.name === 'admin.changes' ? Object.values(changeTopics).flat() : []
  const mayCall = (held: readonly Permission[]) =>
    permission ? held.includes(permission) : needed.length === 0 || needed.some((each) => held.includes(each))
  const refusal = [403, { code: 'FORBIDDEN', ...(permission && { data: { permission } }) }]

  test.each(roles)('admits %s only with its permission, and to no other store', async (role) => {
    const { status, body } = await answerTo(role, procedure)
    if (mayCall(rolePermissions[role])) expect([401, 403, 500]).not.toContain(status)
    else expect([status, body]).toMatchObject(refusal)
    expect(await answerTo(role, procedure, other)).toMatchObject({ status: 403, body: { code: 'TENANT_MISMATCH' } })
  })

  test.each(roles)('admits %s of the installation only with its permission there', async (role) => {
    const { status, body } = await answerTo(`installation ${role}`, procedure, installation)
    if (mayCall(rolesAt({ isInstallation: true })[role])) expect([401, 403, 500]).not.toContain(status)
    else expect([status, body]).toMatchObject(refusal)
  })

  if (permission && (procedure.meta.secondFactor || secondFactorPermissions.includes(permission)))
    test('is refused to a session without a second factor', async () => {
      const [who, where] = storePermissions.includes(permission)
        ? (['unconfirmed', tenant] as const)
        : (['unconfirmed at installation', installation] as const)
      expect(await answerTo(who, procedure, where)).toMatchObject({
        status: 403,
        body: { code: 'SECOND_FACTOR_REQUIRED' },
      })
    })
})
