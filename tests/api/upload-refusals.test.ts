import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeOldVideoFiles } from '#api/modules/media/encoding/encoders.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { openUploads, uploadMetadata } from '#tests/support/uploads.ts'
import { filesOf, videosOf } from '#tests/support/video-jobs.ts'

const api = createTestApi()
const store = await openUploads(api)
const { request: send } = store
const hour = 3_600_000

test('an upload belongs to its store: another store does not find it, and its name is no file path', async () => {
  const [tenant, stranger] = [await createTenant(api), await createTenant(api)]
  const [operator, other] = [await tenant.createOperator(), await stranger.createOperator()]
  const member = await tenant.createMember()
  const authorization = { authorization: `Bearer ${operator.token}` }
  const theirs = { authorization: `Bearer ${other.token}` }
  const filename = '../../../etc/passwd'
  const made = await send(tenant, 'POST', '/uploads', {
    ...authorization,
    'upload-length': '10',
    'upload-metadata': uploadMetadata({ filename }),
  })
  expect(made.status).toBe(201)
  const path = `/uploads/${made.headers.get('location')?.split('/').at(-1)}`
  expect(filesOf(api.deps).uploads.filter((file) => file.startsWith(tenant.id))).toHaveLength(2)

  for (const method of ['HEAD', 'PATCH', 'DELETE']) {
    const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    const body = method === 'PATCH' ? 'x' : undefined
    expect((await send(tenant, method, path, { ...theirs, ...headers }, body)).status, method).toBe(403)
    expect((await send(stranger, method, path, { ...theirs, ...headers }, body)).status, method).toBe(404)
    expect((await send(tenant, method, path, headers, body)).status, method).toBe(401)
    const asMember = { authorization: `Bearer ${member.token}` }
    expect((await send(tenant, method, path, { ...asMember, ...headers }, body)).status, method).toBe(403)
  }
  for (const wrongPath of ['/uploads/..%2f..%2fsecret', '/uploads/secret', '/uploads/%00'])
    expect((await send(tenant, 'HEAD', wrongPath, authorization)).status, wrongPath).toBe(404)
  expect((await send(tenant, 'HEAD', path, authorization)).status).toBe(200)
  expect((await send(tenant, 'DELETE', path, authorization)).status).toBe(204)
  expect((await send(tenant, 'HEAD', path, authorization)).status).toBe(404)
})

test('a file that cannot become a video is refused before its first byte, and an unfinished upload is removed', async () => {
  const tenant = await createTenant(api)
  const tenantVideos = await videosOf(api, tenant)
  const { token } = await tenant.createOperator()
  const product = await tenant.createProduct({ code: 'K100' })
  const create = (length: string, metadata: Record<string, string>) =>
    send(tenant, 'POST', '/uploads', {
      authorization: `Bearer ${token}`,
      'upload-length': length,
      'upload-metadata': uploadMetadata(metadata),
    })
  expect(await create(String(60e9), { filename: 'a.mp4' })).toMatchObject({
    status: 413,
    problem: { errors: { upload: ['The file must not be larger than 50.0 GB.'] } },
  })
  const wrong = [
    { metadata: { product: 'K10' }, field: 'product', says: 'There is no product K10' },
    { metadata: { product: 'K10' }, field: 'product', says: 'Did you mean K100?' },
    { metadata: { product: product.code, lesson: '2' }, field: 'lesson', says: 'K100 has no lessons' },
    { metadata: { product: product.code, chapters: 'Opening' }, field: 'chapters', says: 'Line 1' },
    { metadata: { product: product.code, poster: 'x' }, field: 'poster', says: 'Enter a number.' },
  ]
  for (const { metadata, field, says } of wrong) {
    const answer = await create('10', metadata as Record<string, string>)
    expect(answer, says).toMatchObject({ status: 422, problem: { code: 'VALIDATION_FAILED' } })
    expect(answer.problem?.errors[field]?.[0]).toContain(says)
  }
  expect(filesOf(api.deps).uploads.filter((file) => file.startsWith(tenant.id))).toEqual([])

  expect((await create('10', { filename: 'a.mp4' })).status).toBe(201)
  const waiting = filesOf(api.deps).uploads.filter((file) => file.startsWith(tenant.id))
  await removeOldVideoFiles(api.deps, tenantVideos.ctx.customer as never)
  expect(filesOf(api.deps).uploads).toEqual(expect.arrayContaining(waiting))
  const old = new Date(Date.now() - 49 * hour)
  for (const file of waiting) utimesSync(join(api.deps.dataFolder, 'uploads', file), old, old)
  await removeOldVideoFiles(api.deps, tenantVideos.ctx.customer as never)
  expect(filesOf(api.deps).uploads.filter((file) => file.startsWith(tenant.id))).toEqual([])
})

test('an unsupported extension is refused with a 400 error, and OPTIONS lists the supported ones', async () => {
  const tenant = await createTenant(api)
  const authorization = { authorization: `Bearer ${(await tenant.createOperator()).token}` }
  for (const concat of ['partial', 'final;/a /b', 'nonsense']) {
    const answer = await send(tenant, 'POST', '/uploads', {
      ...authorization,
      'upload-length': '10',
      'upload-concat': concat,
    })
    expect(answer, concat).toMatchObject({ status: 400, problem: { code: 'BAD_REQUEST' } })
  }
  const offered = await send(tenant, 'OPTIONS', '/uploads', authorization)
  expect(offered.headers.get('tus-version')).toBe('1.0.0')
  expect(offered.headers.get('tus-extension')).not.toContain('concat')
})

test.each(['POST', 'HEAD', 'PATCH', 'DELETE'])(
  'a %s in another version of the protocol has no effect',
  async (method) => {
    const tenant = await createTenant(api)
    const authorization = { authorization: `Bearer ${(await tenant.createOperator()).token}` }
    const made = await send(tenant, 'POST', '/uploads', { ...authorization, 'upload-length': '10' })
    const path = `/uploads/${made.headers.get('location')?.split('/').at(-1)}`
    const part = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    const headers = { ...authorization, ...(method === 'POST' ? { 'upload-length': '10' } : part) }
    const files = () => filesOf(api.deps).uploads.filter((file) => file.startsWith(tenant.id))
    const before = files()
    for (const version of ['0.2.2', '1.0.1', 'one', '']) {
      const body = method === 'PATCH' ? 'x' : undefined
      const target = method === 'POST' ? '/uploads' : path
      const answer = await send(tenant, method, target, { ...headers, 'tus-resumable': version }, body)
      expect([version, answer.status, answer.headers.get('tus-version')]).toEqual([version, 412, '1.0.0'])
    }
    expect(files()).toEqual(before)
    expect((await send(tenant, 'HEAD', path, authorization)).headers.get('upload-offset')).toBe('0')
  },
)

test.for([
  { who: 'a guest', method: 'PATCH', path: `/uploads/${crypto.randomUUID()}`, status: 401 },
  { who: 'a member', method: 'POST', path: '/uploads', status: 403 },
  {
    who: 'an operator, to an upload that is not there',
    method: 'PATCH',
    path: `/uploads/${crypto.randomUUID()}`,
    status: 404,
  },
] as const)('a slow body of $who is refused before its end', async (attempt) => {
  const tenant = await createTenant(api)
  const tokens: Record<string, string> = {
    'a member': (await tenant.createMember()).token,
    'an operator, to an upload that is not there': (await tenant.createOperator()).token,
  }
  const token = tokens[attempt.who]
  using request = store.begin(tenant, attempt.method, attempt.path, {
    'content-length': '1000000000',
    'content-type': 'application/offset+octet-stream',
    'upload-offset': '0',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(attempt.method === 'POST' && { 'upload-length': '1000000000' }),
  })
  const dribble = setInterval(() => request.write('x'), 50)
  try {
    await expect.poll(request.received, { timeout: 20_000 }).toContain(`HTTP/1.1 ${attempt.status}`)
    await expect.poll(request.closed, { timeout: 20_000 }).toBe(true)
  } finally {
    clearInterval(dribble)
  }
})

test('staff are refused in their language, whatever the one of the store', async () => {
  const tenant = await createTenant(api)
  const { token, client } = await tenant.createOperator()
  const product = await tenant.createProduct({ code: 'K200' })
  const korean = { authorization: `Bearer ${token}`, 'accept-language': 'ko', 'upload-length': '10' }
  const refusalOf = async (metadata: Record<string, string>) => {
    const refused = await send(tenant, 'POST', '/uploads', { ...korean, 'upload-metadata': uploadMetadata(metadata) })
    expect(refused.status, JSON.stringify(metadata)).toBe(422)
    return Object.values(refused.problem?.errors ?? {}).flat()
  }
  for (const metadata of [
    { product: 'K20' },
    { product: 'no code!' },
    { product: product.code, lesson: '3' },
    { product: product.code, lessonId: 'x' },
    { product: product.code, previewSeconds: 'x' },
    { product: product.code, previewSeconds: '601' },
    { product: product.code, chapters: 'Opening' },
    { product: product.code, language: 'x y' },
    { product: product.code, poster: '9' },
  ])
    expect((await refusalOf(metadata)).join(' '), JSON.stringify(metadata)).toMatch(/[가-힣].*(?:요|요\.)/)
  const large = await send(tenant, 'POST', '/uploads', { ...korean, 'upload-length': String(2 ** 50) })
  expect(large.problem?.errors.upload?.[0]).toMatch(/^파일 크기는 최대/)
  expect((await client.media.videoJobs({})).total).toBe(0)
})
