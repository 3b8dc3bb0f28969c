import { describe, expect, test } from 'vitest'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { described, openUploads } from '#tests/support/uploads.ts'

const api = createTestApi()
const store = await openUploads(api)

interface Answer {
  content?: object
  headers?: Record<string, { required: boolean }>
}
interface Operation {
  operationId: string
  tags: string[]
  security: object[]
  parameters?: { name: string; in: string; required: boolean }[]
  responses: Record<string, Answer>
}
const read = async () =>
  (await (await api.fetch(new Request(`${api.origin}/api/v1/openapi.json`))).json()) as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, object> }
  }
const document = await read()

/** What was asked is described, and so is how it was answered. */
const holds = (path: string, method: string, answer: { status: number; problem: object | null; headers: Headers }) => {
  const told = document.paths[path]?.[method.toLowerCase()]?.responses[answer.status]
  expect(told, `${method} ${path}: ${answer.status}`).toBeDefined()
  expect(told?.content !== undefined, `${method} ${path}: ${answer.status}`).toBe(answer.problem !== null)
  for (const [name, { required }] of Object.entries(told?.headers ?? {}))
    if (required) expect(answer.headers.get(name), `${method} ${path}: ${name}`).not.toBeNull()
}

describe('The description of uploads', () => {
  test('stands in the one of the API, with a bearer of operators and names of its own', () => {
    const operations = ['/uploads', '/uploads/{id}'].flatMap((path) => Object.values(document.paths[path] ?? {}))
    expect(operations.map(({ operationId }) => operationId)).toEqual([
      ...['uploads.create', 'uploads.capabilities', 'uploads.offset', 'uploads.send', 'uploads.end'],
    ])
    for (const operation of operations)
      expect(operation).toMatchObject({ tags: ['Videos'], security: [{ operator: [] }] })
    expect(document.components.schemas).toHaveProperty('Problem')
    const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map((each) => each.operationId))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('says of every request what is needed, and of every answer what comes', async () => {
    const tenant = await createTenant(api)
    const stranger = await createTenant(api)
    const { token } = await tenant.createOperator()
    const mine = { authorization: `Bearer ${token}` }
    const theirs = { authorization: `Bearer ${(await stranger.createOperator()).token}` }
    const ask = async (method: string, path: string, headers: Record<string, string>, sent?: string) => {
      const answer = await store.ask(tenant, method, path, headers, sent)
      holds(path.replace(/[0-9a-f-]{36}$/, '{id}'), method, answer)
      return answer
    }
    const create = (headers: Record<string, string>, who: Record<string, string> = mine) =>
      ask('POST', '/uploads', { ...who, ...headers })
    const made = await create({ 'upload-length': '4', 'upload-metadata': described({ filename: 'a.mp4' }) })
    const path = `/uploads/${made.headers.get('location')?.split('/').at(-1)}`
    const part = (offset: string, who: Record<string, string> = mine) =>
      ask('PATCH', path, { ...who, 'content-type': 'application/offset+octet-stream', 'upload-offset': offset }, 'film')
    const statuses = [
      await create({}, {}),
      await create({ 'upload-length': '4' }, theirs),
      await create({}),
      await create({ 'upload-length': '4', 'tus-resumable': '' }),
      await create({ 'upload-length': String(9e15) }),
      await create({ 'upload-length': '4', 'upload-metadata': described({ product: 'none' }) }),
      await ask('OPTIONS', '/uploads', mine),
      await part('0', {}),
      await part('3'),
      await ask('HEAD', path, mine),
      await part('0'),
      await ask('HEAD', path, mine),
      await ask('DELETE', path, mine),
      await ask('HEAD', path, mine),
      await part('0'),
    ].map(({ status }) => status)
    expect(statuses).toEqual([401, 403, 400, 412, 413, 422, 204, 401, 409, 200, 204, 200, 204, 404, 404])
  })

  test('names every header that a request cannot do without', async () => {
    const tenant = await createTenant(api)
    const { token } = await tenant.createOperator()
    const needed = document.paths['/uploads/{id}']?.patch?.parameters ?? []
    expect(needed.filter(({ required }) => required).map(({ name }) => name)).toEqual([
      ...['id', 'Tus-Resumable', 'Upload-Offset'],
    ])
    const mine = { authorization: `Bearer ${token}` }
    const made = await store.ask(tenant, 'POST', '/uploads', { ...mine, 'upload-length': '4' })
    const path = `/uploads/${made.headers.get('location')?.split('/').at(-1)}`
    const type = { 'content-type': 'application/offset+octet-stream' }
    expect((await store.ask(tenant, 'PATCH', path, { ...mine, ...type }, 'film')).status).toBe(403)
    expect((await store.ask(tenant, 'PATCH', path, { ...mine, ...type, 'upload-offset': '0' }, 'film')).status).toBe(
      204,
    )
  })
})
