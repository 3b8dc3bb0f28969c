import { describe, expect, test } from 'vitest'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { openUploads, uploadMetadata } from '#tests/support/uploads.ts'

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

/** Expects the document to describe the request and its answer. */
const expectDescribed = (
  path: string,
  method: string,
  answer: { status: number; problem: object | null; headers: Headers },
) => {
  const documented = document.paths[path]?.[method.toLowerCase()]?.responses[answer.status]
  expect(documented, `${method} ${path}: ${answer.status}`).toBeDefined()
  expect(documented?.content !== undefined, `${method} ${path}: ${answer.status}`).toBe(answer.problem !== null)
  for (const [name, { required }] of Object.entries(documented?.headers ?? {}))
    if (required) expect(answer.headers.get(name), `${method} ${path}: ${name}`).not.toBeNull()
}

describe('the description of uploads', () => {
  test('is part of the API’s, with an operator’s bearer and operation names of its own', () => {
    const operations = ['/uploads', '/uploads/{id}'].flatMap((path) => Object.values(document.paths[path] ?? {}))
    expect(operations.map(({ operationId }) => operationId)).toEqual([
      ...['uploads.create', 'uploads.capabilities', 'uploads.offset', 'uploads.send', 'uploads.end'],
    ])
    for (const operation of operations)
      expect(operation).toMatchObject({ tags: ['Media'], security: [{ operator: [] }] })
    expect(document.components.schemas).toHaveProperty('Problem')
    const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map((each) => each.operationId))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('states what every request needs and what every answer contains', async () => {
    const tenant = await createTenant(api)
    const stranger = await createTenant(api)
    const { token } = await tenant.createOperator()
    const authorization = { authorization: `Bearer ${token}` }
    const theirs = { authorization: `Bearer ${(await stranger.createOperator()).token}` }
    const send = async (method: string, path: string, headers: Record<string, string>, sent?: string) => {
      const answer = await store.request(tenant, method, path, headers, sent)
      expectDescribed(path.replace(/[0-9a-f-]{36}$/, '{id}'), method, answer)
      return answer
    }
    const create = (headers: Record<string, string>, who: Record<string, string> = authorization) =>
      send('POST', '/uploads', { ...who, ...headers })
    const made = await create({ 'upload-length': '4', 'upload-metadata': uploadMetadata({ filename: 'a.mp4' }) })
    const path = `/uploads/${made.headers.get('location')?.split('/').at(-1)}`
    const part = (offset: string, who: Record<string, string> = authorization) =>
      send(
        'PATCH',
        path,
        { ...who, 'content-type': 'application/offset+octet-stream', 'upload-offset': offset },
        'film',
      )
    const statuses = [
      await create({}, {}),
      await create({ 'upload-length': '4' }, theirs),
      await create({}),
      await create({ 'upload-length': '4', 'tus-resumable': '' }),
      await create({ 'upload-length': String(9e15) }),
      await create({ 'upload-length': '4', 'upload-metadata': uploadMetadata({ product: 'none' }) }),
      await send('OPTIONS', '/uploads', authorization),
      await part('0', {}),
      await part('3'),
      await send('HEAD', path, authorization),
      await part('0'),
      await send('HEAD', path, authorization),
      await send('DELETE', path, authorization),
      await send('HEAD', path, authorization),
      await part('0'),
    ].map(({ status }) => status)
    expect(statuses).toEqual([401, 403, 400, 412, 413, 422, 204, 401, 409, 200, 204, 200, 204, 404, 404])
  })

  test('states every header that a request requires', async () => {
    const tenant = await createTenant(api)
    const { token } = await tenant.createOperator()
    const needed = document.paths['/uploads/{id}']?.patch?.parameters ?? []
    expect(needed.filter(({ required }) => required).map(({ name }) => name)).toEqual([
      ...['id', 'Tus-Resumable', 'Upload-Offset'],
    ])
    const authorization = { authorization: `Bearer ${token}` }
    const made = await store.request(tenant, 'POST', '/uploads', { ...authorization, 'upload-length': '4' })
    const path = `/uploads/${made.headers.get('location')?.split('/').at(-1)}`
    const type = { 'content-type': 'application/offset+octet-stream' }
    expect((await store.request(tenant, 'PATCH', path, { ...authorization, ...type }, 'film')).status).toBe(403)
    expect(
      (await store.request(tenant, 'PATCH', path, { ...authorization, ...type, 'upload-offset': '0' }, 'film')).status,
    ).toBe(204)
  })
})
