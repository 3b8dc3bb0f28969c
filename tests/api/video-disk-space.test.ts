import { utimesSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { videoJobs } from '#api/modules/media/media.schema.ts'
import { isFailure } from '#api/platform/context.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { openUploads } from '#tests/support/uploads.ts'
import { makeFilm } from '#tests/support/video-files.ts'
import { videosOf } from '#tests/support/video-jobs.ts'

const hour = 3_600_000
const film = makeFilm('lecture.mp4', { size: '160x90' })

/** A store whose operators may upload files as large as its disk. */
const openStore = async () => {
  const api = createTestApi()
  const deps = { ...api.deps, video: { ...api.deps.video, largestUpload: 1e15 } }
  const store = await openUploads(api, deps)
  const { bavail, bsize } = await statfs(deps.dataFolder)
  // A file of a quarter of the disk needs three quarters: itself, and twice its size for encoding.
  const quarter = Math.floor((bavail * bsize) / 4)
  const tenant = await createTenant(api)
  const { token } = await tenant.createOperator()
  const authorization = { authorization: `Bearer ${token}` }
  const create = (bytes = quarter) =>
    store.request(tenant, 'POST', '/uploads', { ...authorization, 'upload-length': String(bytes) })
  return { api, deps, store, tenant, mine: authorization, quarter, create }
}

test('space reserved for an open upload is not reserved again, until the upload has ended or stalls', async () => {
  const { deps, store, tenant, mine, create } = await openStore()
  const first = await create()
  expect(first.status).toBe(201)
  const refused = await create()
  expect(refused).toMatchObject({ status: 503, problem: { code: 'UNAVAILABLE' } })
  expect(refused.problem?.errors.upload?.[0]).toContain('Not enough disk space')
  expect(refused.headers.get('retry-after')).toBe('60')
  expect((await create(1000)).status).toBe(201)

  const id = first.headers.get('location')?.split('/').at(-1) ?? ''
  const old = new Date(Date.now() - 2 * hour)
  for (const name of [id, `${id}.json`]) utimesSync(join(deps.dataFolder, 'uploads', tenant.id, name), old, old)
  const next = await create()
  expect(next.status).toBe(201)
  expect((await create()).status).toBe(503)
  const path = `/uploads/${next.headers.get('location')?.split('/').at(-1)}`
  expect((await store.request(tenant, 'DELETE', path, mine)).status).toBe(204)
  expect((await create()).status).toBe(201)
})

test('concurrent uploads are accepted only as far as they have space', async () => {
  const { create } = await openStore()
  const answers = await Promise.all(Array.from({ length: 4 }, () => create()))
  expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1)
})

test('the length of an upload is checked against the free space when it is sent later', async () => {
  const { store, tenant, mine, quarter, create } = await openStore()
  const open = await store.request(tenant, 'POST', '/uploads', { ...mine, 'upload-defer-length': '1' })
  expect((await create()).status).toBe(201)
  const path = `/uploads/${open.headers.get('location')?.split('/').at(-1)}`
  const part = { ...mine, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
  const sendLength = (bytes: number) =>
    store.request(tenant, 'PATCH', path, { ...part, 'upload-length': String(bytes) }, 'film')
  expect((await sendLength(quarter)).status).toBe(503)
  expect((await sendLength(4)).status).toBe(204)
})

test('space for a waiting job is reserved across all stores', async () => {
  const { api, tenant, quarter, create } = await openStore()
  const neighbour = await createTenant(api)
  const theirs = await videosOf(api, neighbour)
  const id = await theirs.add({ productId: (await neighbour.createProduct()).id, path: film })
  await neighbour.within((db) => db.update(videoJobs).set({ sourceBytes: quarter }))
  expect((await create()).status).toBe(503)
  const { tryAdd } = await videosOf(api, tenant)
  const { id: productId } = await tenant.createProduct()
  expect(isFailure(await tryAdd({ productId, path: film }))).toBe(false)
  await neighbour.within((db) => db.update(videoJobs).set({ sourceBytes: 2 * quarter }))
  const answer = await tryAdd({ productId, path: film })
  expect(isFailure(answer) && answer.errors?.file?.[0]).toContain('Not enough disk space: lecture.mp4 needs about')
  await neighbour.within((db) => db.update(videoJobs).set({ status: 'CANCELLED', endedAt: new Date().toISOString() }))
  expect((await theirs.job(id)).status).toBe('CANCELLED')
  expect((await create()).status).toBe(201)
})
