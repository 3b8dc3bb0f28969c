import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { described, digest, openUploads } from '#tests/support/uploads.ts'

const api = createTestApi()
/** Two processes that serve, on one data folder. */
const [one, other] = [await openUploads(api), await openUploads(api)]

test('an upload that goes on at another process is written to by that one alone', async () => {
  const tenant = await createTenant(api)
  const { token } = await tenant.createOperator()
  const mine = { authorization: `Bearer ${token}` }
  const file = Buffer.alloc(600_000, 'the film ')
  const made = await one.ask(tenant, 'POST', '/uploads', {
    ...{ ...mine, 'upload-length': String(file.length), 'upload-metadata': described({ filename: 'lecture.mp4' }) },
  })
  const id = made.headers.get('location')?.split('/').at(-1) ?? ''
  const path = join(api.deps.dataFolder, 'uploads', tenant.id, id)
  const part = (offset: number) => ({
    ...{ ...mine, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
  })

  // The client's line to the first breaks without a word: the first waits for the rest.
  using broken = one.begin(tenant, 'PATCH', `/uploads/${id}`, { ...part(0), 'content-length': String(file.length) })
  broken.write(file.subarray(0, 200_000))
  await expect.poll(() => readFileSync(path).length, { timeout: 10_000 }).toBe(200_000)

  const asked = await other.ask(tenant, 'HEAD', `/uploads/${id}`, mine)
  expect(asked.headers.get('upload-offset')).toBe('200000')
  const rest = other.begin(tenant, 'PATCH', `/uploads/${id}`, { ...part(200_000), 'content-length': '400000' })
  rest.write(file.subarray(200_000, 300_000))
  await expect.poll(() => readFileSync(path).length, { timeout: 10_000 }).toBe(300_000)
  // What was still on its way to the first arrives late.
  broken.write(Buffer.alloc(400_000, 'too late '))
  rest.write(file.subarray(300_000))
  await expect.poll(rest.heard, { timeout: 10_000 }).toContain('HTTP/1.1 204')
  await expect.poll(broken.closed, { timeout: 10_000 }).toBe(true)
  expect(broken.heard()).toContain('upload-offset: 200000')
  expect(digest(readFileSync(path))).toBe(digest(file))
})

test('of parts sent to two processes at the same moment one is taken', async () => {
  const tenant = await createTenant(api)
  const { token } = await tenant.createOperator()
  const mine = { authorization: `Bearer ${token}` }
  const made = await one.ask(tenant, 'POST', '/uploads', { ...mine, 'upload-length': '8' })
  const path = `/uploads/${made.headers.get('location')?.split('/').at(-1)}`
  const headers = { ...mine, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
  const answers = await Promise.all(
    [one, other, one, other].map(({ ask }) => ask(tenant, 'PATCH', path, headers, 'film')),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409])
  const left = await api.owner.execute(`SELECT count(*)::int AS held FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND application_name = 'marquee-uploads'`)
  await expect.poll(() => left.rows[0]).toEqual({ held: 0 })
})
