import { createHash } from 'node:crypto'
import { readFileSync, utimesSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from '#api/http/app.ts'
import { tidyVideos } from '#api/jobs/videos/tidy.ts'
import type { VideoJobId } from '#contract/ids.ts'
import { customerBase } from '#contract/index.ts'
import { problem } from '#contract/problem.ts'
import { createRequestHandler } from '#server/handle-request.ts'
import { type Listening, listen } from '#server/listen.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'
import { makeFilm, writeText } from '#tests/support/video-files.ts'
import { filesOf, videosOf } from '#tests/support/video-jobs.ts'

const api = createTestApi()
const patience = 60_000
const film = makeFilm('lecture.mp4', { size: '160x90' })
const captions = writeText('lecture.ko.srt', '1\n00:00:00,000 --> 00:00:01,500\n정오에 물때가 바뀝니다.\n')
const hour = 3_600_000

/** The store as it serves: its API behind the real server, which may be stopped and started again on its port. */
const serve = (port = 0) =>
  listen(
    createRequestHandler({
      ...{ deps: api.deps, api: createApi(api.deps), media: async () => false },
      storefront: { fetch: async () => new Response(null, { status: 404 }), files: async () => false } as never,
    }),
    { host: '127.0.0.1', port },
  )
let server: Listening
beforeAll(async () => {
  server = await serve()
})
afterAll(() => server[Symbol.asyncDispose]())
const base = (tenant: Tenant, port = server.port) => `http://127.0.0.1:${port}${customerBase(tenant.code)}`

interface Sending {
  token: string
  metadata?: Record<string, string>
  port?: number
  chunkSize?: number
  onProgress?: (sent: number) => void
}

/** Sends a file as a tus client does; the address of the upload, and which job came of it. */
const send = (tenant: Tenant, file: Buffer, { token, metadata = {}, port, chunkSize, onProgress }: Sending) =>
  new Promise<{ url: string; id: string; job: string | null }>((resolve, reject) => {
    let job: string | null = null
    const upload = new Upload(file, {
      endpoint: `${base(tenant, port)}/uploads`,
      headers: { authorization: `Bearer ${token}` },
      metadata,
      retryDelays: [50, 200, 500, 1000, 2000],
      ...(chunkSize !== undefined && { chunkSize }),
      onAfterResponse: (_request, response) => {
        job = response.getHeader('x-video-job') ?? job
      },
      onProgress: (sent) => onProgress?.(sent),
      onError: reject,
      onSuccess: () => resolve({ url: upload.url ?? '', id: upload.url?.split('/').at(-1) ?? '', job }),
    })
    upload.start()
  })

/** A line that breaks after so many bytes from the client, once. */
const breakingLine = async (bytes: number) => {
  let broken = false
  const sockets = new Set<Socket>()
  const line = createServer((near) => {
    const far = connect(server.port, '127.0.0.1')
    let passed = 0
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined))
    near.on('data', (part) => {
      passed += part.length
      far.write(part)
      if (broken || passed < bytes) return
      broken = true
      // What has passed arrives; nothing after it does.
      setTimeout(() => {
        near.resetAndDestroy()
        far.resetAndDestroy()
      }, 20)
    })
    far.on('data', (part) => near.write(part))
    far.on('close', () => near.end())
    near.on('close', () => far.end())
  })
  await new Promise<void>((ready) => line.listen(0, '127.0.0.1', ready))
  return {
    port: (line.address() as AddressInfo).port,
    wasBroken: () => broken,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy()
      line.close()
    },
  }
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test(
  'a file that names its product becomes its stream, although the line breaks in the middle',
  async () => {
    const tenant = await createTenant(api)
    const given = await videosOf(api, tenant)
    const operator = await tenant.createOperator()
    const product = await tenant.createProduct({ access: 'FREE', price: null })
    using line = await breakingLine(300_000)
    const metadata = { filename: '강의 1부.mp4', product: product.code, chapters: '00:00 Opening\n00:01 The end' }
    const large = Buffer.concat([readFileSync(film), Buffer.alloc(2_000_000)])
    const sent = await send(tenant, large, { token: operator.token, metadata, port: line.port })
    expect(line.wasBroken()).toBe(true)
    expect(sent.job).not.toBeNull()

    const id = sent.job as VideoJobId
    expect(await operator.client.videos.videoJob({ id })).toMatchObject({
      ...{ status: 'QUEUED', productCode: product.code, lesson: null },
      file: { name: '강의 1부.mp4', bytes: large.length },
    })
    const kept = filesOf(api.deps).sources.find((path) => path.startsWith(tenant.id)) ?? ''
    expect(digest(readFileSync(join(api.deps.dataFolder, 'sources', kept)))).toBe(digest(large))
    await given.work(async () => (await given.job(id)).endedAt !== null)
    expect(await operator.client.videos.videoJob({ id })).toMatchObject({ status: 'READY', percent: 100 })
    const played = await tenant.guest.playback.startPlayback({ id: product.id })
    expect(played.chapters).toMatchObject([{ title: 'Opening' }, { title: 'The end' }])

    // A client that missed the last answer asks again, and is told the same.
    const headers = { authorization: `Bearer ${operator.token}`, 'tus-resumable': '1.0.0' }
    const asked = await fetch(new URL(sent.url, base(tenant)), { method: 'HEAD', headers })
    expect(asked.headers.get('upload-offset')).toBe(String(large.length))
    expect(asked.headers.get('x-video-job')).toBe(id)
  },
  patience,
)

test(
  'an upload goes on after the store was stopped and started again, and waits until it is said what it is for',
  async () => {
    const tenant = await createTenant(api)
    const given = await videosOf(api, tenant)
    const { token, client } = await tenant.createOperator()
    const product = await tenant.createProduct()
    let restarted: Promise<void> | null = null
    const restart = async () => {
      const { port } = server
      await server[Symbol.asyncDispose]()
      server = await serve(port)
    }
    const bytes = readFileSync(film)
    const sent = await send(tenant, bytes, {
      ...{ token, metadata: { filename: 'lecture.mp4' }, chunkSize: 8192 },
      onProgress: (done) => {
        if (done > bytes.length / 2) restarted ??= restart()
      },
    })
    expect(restarted).not.toBeNull()
    await restarted
    expect(sent.job).toBeNull()
    const words = await send(tenant, readFileSync(captions), { token, metadata: { filename: 'lecture.ko.srt' } })

    const order = {
      ...{ product: product.code, upload: sent.id, captions: [{ language: 'ko', upload: words.id }] },
      ...{ chapters: [{ startSeconds: 0, title: 'Opening' }], previewSeconds: 0 },
    }
    const unsent = { ...order, upload: crypto.randomUUID() }
    const refused = await failureOf(client.videos.addVideo(unsent))
    expect(refused).toMatchObject({ status: 422 })
    expect(refused.problem.errors.upload?.[0]).toContain('no finished upload')
    const job = await client.videos.addVideo(order)
    expect(job).toMatchObject({ status: 'QUEUED', productCode: product.code })
    expect(await client.videos.addVideo(order)).toMatchObject({ id: job.id })
    await given.work(async () => (await given.job(job.id)).endedAt !== null)
    expect((await client.videos.videoJob({ id: job.id })).why).toBeNull()
    expect(await given.streams()).toMatchObject([
      { captions: [{ language: 'ko', label: '한국어' }], previewAsset: null },
    ])
    expect(filesOf(api.deps).uploads.filter((path) => path.startsWith(tenant.id) && !path.endsWith('.done'))).toEqual(
      [],
    )
  },
  patience,
)

test('many who ask at once for one upload get one job, and its file stays', async () => {
  const tenant = await createTenant(api)
  const { token, client } = await tenant.createOperator()
  const product = await tenant.createProduct()
  const sent = await send(tenant, readFileSync(film), { token, metadata: { filename: 'lecture.mp4' } })
  const words = await send(tenant, readFileSync(captions), { token, metadata: { filename: 'lecture.ko.srt' } })
  const order = {
    ...{ product: product.code, upload: sent.id, captions: [{ language: 'ko', upload: words.id }] },
    ...{ chapters: [], audio: [] },
  }
  const jobs = await Promise.all(Array.from({ length: 6 }, () => client.videos.addVideo(order)))
  expect(new Set(jobs.map(({ id }) => id)).size).toBe(1)
  expect((await client.videos.videoJobs({})).total).toBe(1)
  const kept = filesOf(api.deps).sources.filter((path) => path.startsWith(tenant.id))
  expect(kept.sort()).toEqual([`${tenant.id}/${sent.id}/file.mp4`, `${tenant.id}/${words.id}/file.srt`].sort())
  expect(digest(readFileSync(join(api.deps.dataFolder, 'sources', `${tenant.id}/${sent.id}/file.mp4`)))).toBe(
    digest(readFileSync(film)),
  )
})

test('of files given for one product at the same moment one is made', async () => {
  const tenant = await createTenant(api)
  const { token, client } = await tenant.createOperator()
  const { code } = await tenant.createProduct()
  const sendOne = () => send(tenant, readFileSync(film), { token, metadata: { filename: 'lecture.mp4' } })
  const sent = await Promise.all(Array.from({ length: 5 }, sendOne))
  await Promise.all(
    sent.map(({ id }) => client.videos.addVideo({ product: code, upload: id, captions: [], audio: [], chapters: [] })),
  )
  const { items } = await client.videos.videoJobs({})
  expect(items.map(({ status }) => status).sort()).toEqual([...Array(4).fill('CANCELLED'), 'QUEUED'])
})

const ask = async (tenant: Tenant, method: string, path: string, headers: Record<string, string>, body?: string) => {
  const tus: Record<string, string> = { 'tus-resumable': '1.0.0', ...headers }
  const response = await fetch(`${base(tenant)}${path}`, { method, headers: tus, ...(body && { body }) })
  const text = await response.text()
  return { status: response.status, problem: text ? problem.parse(JSON.parse(text)) : null, headers: response.headers }
}
const described = (metadata: Record<string, string>) =>
  Object.entries(metadata)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')

test('an upload belongs to its store: nobody else finds it, and its name leads nowhere', async () => {
  const [tenant, stranger] = [await createTenant(api), await createTenant(api)]
  const [own, other] = [await tenant.createOperator(), await stranger.createOperator()]
  const member = await tenant.createMember()
  const mine = { authorization: `Bearer ${own.token}` }
  const theirs = { authorization: `Bearer ${other.token}` }
  const filename = '../../../etc/passwd'
  const made = await ask(tenant, 'POST', '/uploads', {
    ...{ ...mine, 'upload-length': '10', 'upload-metadata': described({ filename }) },
  })
  expect(made.status).toBe(201)
  const path = `/uploads/${made.headers.get('location')?.split('/').at(-1)}`
  expect(filesOf(api.deps).uploads.filter((file) => file.startsWith(tenant.id))).toHaveLength(2)

  for (const method of ['HEAD', 'PATCH', 'DELETE']) {
    const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    const body = method === 'PATCH' ? 'x' : undefined
    expect((await ask(tenant, method, path, { ...theirs, ...headers }, body)).status, method).toBe(403)
    expect((await ask(stranger, method, path, { ...theirs, ...headers }, body)).status, method).toBe(404)
    expect((await ask(tenant, method, path, headers, body)).status, method).toBe(401)
    const asMember = { authorization: `Bearer ${member.token}` }
    expect((await ask(tenant, method, path, { ...asMember, ...headers }, body)).status, method).toBe(403)
  }
  for (const strange of ['/uploads/..%2f..%2fsecret', '/uploads/secret', '/uploads/%00'])
    expect((await ask(tenant, 'HEAD', strange, mine)).status, strange).toBe(404)
  expect((await ask(tenant, 'HEAD', path, mine)).status).toBe(200)
  expect((await ask(tenant, 'DELETE', path, mine)).status).toBe(204)
  expect((await ask(tenant, 'HEAD', path, mine)).status).toBe(404)
})

test('what cannot become a video is refused before its first byte, and what nobody finishes is removed', async () => {
  const tenant = await createTenant(api)
  const given = await videosOf(api, tenant)
  const { token } = await tenant.createOperator()
  const product = await tenant.createProduct({ code: 'K100' })
  const create = (length: string, metadata: Record<string, string>) =>
    ask(tenant, 'POST', '/uploads', {
      ...{ authorization: `Bearer ${token}`, 'upload-length': length, 'upload-metadata': described(metadata) },
    })
  expect(await create(String(60e9), { filename: 'a.mp4' })).toMatchObject({ status: 413 })
  const wrong = [
    { metadata: { product: 'K10' }, field: 'product', says: 'There is no product K10' },
    { metadata: { product: 'K10' }, field: 'product', says: 'Did you mean K100?' },
    { metadata: { product: product.code, lesson: '2' }, field: 'lesson', says: 'K100 has no lessons' },
    { metadata: { product: product.code, chapters: 'Opening' }, field: 'chapters', says: 'Line 1' },
    { metadata: { product: product.code, poster: 'x' }, field: 'poster', says: 'Give a number.' },
  ]
  for (const { metadata, field, says } of wrong) {
    const answer = await create('10', metadata as Record<string, string>)
    expect(answer, says).toMatchObject({ status: 422, problem: { code: 'VALIDATION_FAILED' } })
    expect(answer.problem?.errors[field]?.[0]).toContain(says)
  }
  expect(filesOf(api.deps).uploads.filter((file) => file.startsWith(tenant.id))).toEqual([])

  expect((await create('10', { filename: 'a.mp4' })).status).toBe(201)
  const waiting = filesOf(api.deps).uploads.filter((file) => file.startsWith(tenant.id))
  await tidyVideos(api.deps, given.env.customer as never)
  expect(filesOf(api.deps).uploads).toEqual(expect.arrayContaining(waiting))
  const old = new Date(Date.now() - 49 * hour)
  for (const file of waiting) utimesSync(join(api.deps.dataFolder, 'uploads', file), old, old)
  await tidyVideos(api.deps, given.env.customer as never)
  expect(filesOf(api.deps).uploads.filter((file) => file.startsWith(tenant.id))).toEqual([])
})
