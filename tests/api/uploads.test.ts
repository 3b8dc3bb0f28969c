import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { VideoJobId } from '#contract/ids.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'
import { breakingProxy, digest, openUploads } from '#tests/support/uploads.ts'
import { makeFilm, writeText } from '#tests/support/video-files.ts'
import { filesOf, videosOf } from '#tests/support/video-jobs.ts'

const api = createTestApi()
const store = await openUploads(api)
const timeout = 60_000
const film = makeFilm('lecture.mp4', { size: '160x90' })
const captions = writeText('lecture.ko.srt', '1\n00:00:00,000 --> 00:00:01,500\n정오에 물때가 바뀝니다.\n')

test(
  'an upload with a product’s code becomes its stream, although the connection breaks in the middle',
  async () => {
    const tenant = await createTenant(api)
    const tenantVideos = await videosOf(api, tenant)
    const operator = await tenant.createOperator()
    const product = await tenant.createProduct({ access: 'FREE', price: null })
    using proxy = await breakingProxy(store.port, 300_000)
    const metadata = { filename: '강의 1부.mp4', product: product.code, chapters: '00:00 Opening\n00:01 The end' }
    const large = Buffer.concat([readFileSync(film), Buffer.alloc(2_000_000)])
    const sent = await store.send(tenant, large, { token: operator.token, metadata, port: proxy.port })
    expect(proxy.wasBroken()).toBe(true)
    expect(sent.job).not.toBeNull()

    const id = sent.job as VideoJobId
    expect(await operator.client.media.videoJob({ id })).toMatchObject({
      status: 'QUEUED',
      productCode: product.code,
      lesson: null,
      file: { name: '강의 1부.mp4', bytes: large.length },
    })
    const stored = filesOf(api.deps).sources.find((path) => path.startsWith(tenant.id)) ?? ''
    expect(digest(readFileSync(join(api.deps.dataFolder, 'sources', stored)))).toBe(digest(large))
    await tenantVideos.work(async () => (await tenantVideos.job(id)).endedAt !== null)
    expect(await operator.client.media.videoJob({ id })).toMatchObject({ status: 'READY', percent: 100 })
    const played = await tenant.guest.playback.startPlayback({ id: product.id })
    expect(played.chapters).toMatchObject([{ title: 'Opening' }, { title: 'The end' }])

    // A client that missed the last answer repeats the request and gets the same answer.
    const headers = { authorization: `Bearer ${operator.token}`, 'tus-resumable': '1.0.0' }
    const head = await fetch(new URL(sent.url, store.base(tenant)), { method: 'HEAD', headers })
    expect(head.headers.get('upload-offset')).toBe(String(large.length))
    expect(head.headers.get('x-video-job')).toBe(id)
  },
  timeout,
)

test(
  'an upload resumes after a restart of the store, and waits until its product is named',
  async () => {
    const tenant = await createTenant(api)
    const tenantVideos = await videosOf(api, tenant)
    const { token, client } = await tenant.createOperator()
    const product = await tenant.createProduct()
    let restarted: Promise<void> | null = null
    const bytes = readFileSync(film)
    const sent = await store.send(tenant, bytes, {
      token,
      metadata: { filename: 'lecture.mp4' },
      chunkSize: 8192,
      onProgress: (done) => {
        if (done > bytes.length / 2) restarted ??= store.restart()
      },
    })
    expect(restarted).not.toBeNull()
    await restarted
    expect(sent.job).toBeNull()
    const captionsUpload = await store.send(tenant, readFileSync(captions), {
      token,
      metadata: { filename: 'lecture.ko.srt' },
    })

    const order = {
      product: product.code,
      upload: sent.id,
      captions: [{ language: 'ko', upload: captionsUpload.id }],
      chapters: [{ startSeconds: 0, title: 'Opening' }],
      previewSeconds: 0,
    }
    const unsent = { ...order, upload: crypto.randomUUID() }
    const refused = await failureOf(client.media.addVideo(unsent))
    expect(refused).toMatchObject({ status: 422 })
    expect(refused.problem.errors.upload?.[0]).toContain('No completed upload')
    const job = await client.media.addVideo(order)
    expect(job).toMatchObject({ status: 'QUEUED', productCode: product.code })
    expect(await client.media.addVideo(order)).toMatchObject({ id: job.id })
    await tenantVideos.work(async () => (await tenantVideos.job(job.id)).endedAt !== null)
    expect((await client.media.videoJob({ id: job.id })).why).toBeNull()
    expect(await tenantVideos.streams()).toMatchObject([
      { captions: [{ language: 'ko', label: '한국어' }], previewAsset: null },
    ])
    expect(filesOf(api.deps).uploads.filter((path) => path.startsWith(tenant.id) && !path.endsWith('.done'))).toEqual(
      [],
    )
  },
  timeout,
)

test(
  'an upload for the library becomes a video of the store, which a product shows later',
  async () => {
    const tenant = await createTenant(api)
    const tenantVideos = await videosOf(api, tenant)
    const { token, client } = await tenant.createOperator()
    const product = await tenant.createProduct({ access: 'FREE', price: null })
    const metadata = { filename: 'harbour.mp4', library: 'true' }
    const sent = await store.send(tenant, readFileSync(film), { token, metadata })
    const id = sent.job as VideoJobId
    const queued = await client.media.videoJob({ id })
    expect(queued).toMatchObject({ status: 'QUEUED', productCode: null, lesson: null, videoId: null })
    expect(queued.by).toMatch(/^operator:/)
    // Another file for the library takes the place of none.
    const other = await store.send(tenant, readFileSync(film), { token, metadata: { filename: 'pier.mp4' } })
    const second = await client.media.addVideo({ upload: other.id })
    expect((await client.media.videoJobs({ status: 'QUEUED' })).total).toBe(2)
    expect((await client.media.videoJobs({ product: product.code })).items).toEqual([])
    const cancelled = await client.media.cancelVideoJob({ id: second.id })
    expect(cancelled).toMatchObject({ status: 'CANCELLED', productCode: null })
    expect(await client.media.retryVideoJob({ id: second.id })).toMatchObject({ status: 'QUEUED' })
    await tenantVideos.work(async () =>
      (await Promise.all([id, second.id].map(tenantVideos.job))).every(({ endedAt }) => endedAt !== null),
    )
    const { videoId } = await client.media.videoJob({ id })
    const { items } = await client.admin.videos.list({ q: 'harbour' })
    expect(items).toMatchObject([{ id: videoId, name: null, file: 'harbour.mp4', shownBy: [] }])
    const opened = await client.admin.videos.get({ id: videoId! })
    expect(opened).toMatchObject({ job: { id, status: 'READY', file: { name: 'harbour.mp4' } }, shownBy: [] })
    expect(opened.history).toMatchObject([{ action: 'video.added' }])
    await client.admin.videos.use({ id: videoId!, product: product.code })
    expect(await tenant.guest.playback.startPlayback({ id: product.id })).toMatchObject({ durationSeconds: 2 })

    const third = await store.send(tenant, readFileSync(film), { token, metadata: { filename: 'bay.mp4' } })
    for (const order of [{ lesson: 1 }, { poster: 1 }]) {
      const refused = await failureOf(client.media.addVideo({ upload: third.id, ...order }))
      expect(refused.status, JSON.stringify(order)).toBe(422)
    }
  },
  timeout,
)

test('concurrent requests to use one upload create one job, and its file is kept', async () => {
  const tenant = await createTenant(api)
  const { token, client } = await tenant.createOperator()
  const product = await tenant.createProduct()
  const sent = await store.send(tenant, readFileSync(film), { token, metadata: { filename: 'lecture.mp4' } })
  const captionsUpload = await store.send(tenant, readFileSync(captions), {
    token,
    metadata: { filename: 'lecture.ko.srt' },
  })
  const order = {
    product: product.code,
    upload: sent.id,
    captions: [{ language: 'ko', upload: captionsUpload.id }],
    chapters: [],
    audio: [],
  }
  const jobs = await Promise.all(Array.from({ length: 12 }, () => client.media.addVideo(order)))
  expect(new Set(jobs.map(({ id }) => id)).size).toBe(1)
  expect((await client.media.videoJobs({})).total).toBe(1)
  const stored = filesOf(api.deps).sources.filter((path) => path.startsWith(tenant.id))
  expect(stored.sort()).toEqual(
    [`${tenant.id}/${sent.id}/file.mp4`, `${tenant.id}/${captionsUpload.id}/file.srt`].sort(),
  )
  expect(digest(readFileSync(join(api.deps.dataFolder, 'sources', `${tenant.id}/${sent.id}/file.mp4`)))).toBe(
    digest(readFileSync(film)),
  )
})

test('concurrent uploads for one product create one job', async () => {
  const tenant = await createTenant(api)
  const { token, client } = await tenant.createOperator()
  const { code } = await tenant.createProduct()
  const sendOne = () => store.send(tenant, readFileSync(film), { token, metadata: { filename: 'lecture.mp4' } })
  const sent = await Promise.all(Array.from({ length: 5 }, sendOne))
  await Promise.all(
    sent.map(({ id }) => client.media.addVideo({ product: code, upload: id, captions: [], audio: [], chapters: [] })),
  )
  const { items } = await client.media.videoJobs({})
  expect(items.map(({ status }) => status).sort()).toEqual([...Array(4).fill('CANCELLED'), 'QUEUED'])
})
