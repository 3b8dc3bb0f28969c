import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { digest, openUploads, uploadMetadata } from '#tests/support/uploads.ts'

const api = createTestApi()
/** Two servers with one data folder. */
const [one, other] = [await openUploads(api), await openUploads(api)]

test('an upload resumed at another process is written by that process alone', async () => {
  const tenant = await createTenant(api)
  const { token } = await tenant.createOperator()
  const authorization = { authorization: `Bearer ${token}` }
  const file = Buffer.alloc(600_000, 'the film ')
  const made = await one.request(tenant, 'POST', '/uploads', {
    ...authorization,
    'upload-length': String(file.length),
    'upload-metadata': uploadMetadata({ filename: 'lecture.mp4' }),
  })
  const id = made.headers.get('location')?.split('/').at(-1) ?? ''
  const path = join(api.deps.dataFolder, 'uploads', tenant.id, id)
  const part = (offset: number) => ({
    ...authorization,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': String(offset),
  })

  // The client's connection to the first is lost without an end: the first waits for the rest.
  using broken = one.begin(tenant, 'PATCH', `/uploads/${id}`, { ...part(0), 'content-length': String(file.length) })
  broken.write(file.subarray(0, 200_000))
  await expect.poll(() => readFileSync(path).length, { timeout: 20_000 }).toBe(200_000)

  const head = await other.request(tenant, 'HEAD', `/uploads/${id}`, authorization)
  expect(head.headers.get('upload-offset')).toBe('200000')
  const rest = other.begin(tenant, 'PATCH', `/uploads/${id}`, { ...part(200_000), 'content-length': '400000' })
  rest.write(file.subarray(200_000, 300_000))
  await expect.poll(() => readFileSync(path).length, { timeout: 20_000 }).toBe(300_000)
  // The rest of the first request arrives late.
  broken.write(Buffer.alloc(400_000, 'too late '))
  rest.write(file.subarray(300_000))
  await expect.poll(rest.received, { timeout: 20_000 }).toContain('HTTP/1.1 204')
  await expect.poll(broken.closed, { timeout: 20_000 }).toBe(true)
  expect(broken.received()).toContain('upload-offset: 200000')
  expect(digest(readFileSync(path))).toBe(digest(file))
})

test('concurrent requests for one part at two processes are accepted once', async () => {
  const tenant = await createTenant(api)
  const { token } = await tenant.createOperator()
  const authorization = { authorization: `Bearer ${token}` }
  const made = await one.request(tenant, 'POST', '/uploads', { ...authorization, 'upload-length': '8' })
  const path = `/uploads/${made.headers.get('location')?.split('/').at(-1)}`
  const headers = { ...authorization, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
  const answers = await Promise.all(
    [one, other, one, other].map(({ request }) => request(tenant, 'PATCH', path, headers, 'film')),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409])
  const locks = await api.owner.execute(`SELECT count(*)::int AS held FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND application_name = 'marquee-uploads'`)
  await expect.poll(() => locks.rows[0]).toEqual({ held: 0 })
})
