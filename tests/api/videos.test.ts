import { statSync, truncateSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { lessons, products } from '#api/modules/catalog/catalog.schema.ts'
import { removeOldVideoFiles } from '#api/modules/media/encoding/encoders.ts'
import { videoJobs } from '#api/modules/media/media.schema.ts'
import { removeVideo } from '#api/modules/media/video-jobs.ts'
import { isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { parseMediaKey } from '#api/platform/storage/storage.ts'
import { describeJob } from '#cli/media/describe-job.ts'
import type { LessonId, VideoJobId } from '#contract/ids.ts'
import { asMember, openMedia } from '#tests/support/media.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'
import { makeFilm, writeText } from '#tests/support/video-files.ts'
import { arrangeVideos, filesOf } from '#tests/support/video-jobs.ts'

const api = createTestApi()
const media = await openMedia(api)
const timeout = 60_000
const hour = 3_600_000
const film = makeFilm('lecture.mp4', { size: '160x90' })
const captions = writeText('lecture.en.srt', '1\n00:00:00,000 --> 00:00:01,500\nThe tide turns at noon.\n')
const isStored = async (asset: string | undefined) =>
  (await api.deps.storage.open(parseMediaKey(`${asset}/master.m3u8`)!)) !== null

describe('an added video file', () => {
  test(
    'becomes the stream of its product, with captions, chapters, a preview and a poster, and leaves no other files',
    async () => {
      const { tenant, tenantVideos, make, sources } = await arrangeVideos(api)
      const product = await tenant.createProduct({ access: 'FREE', price: null })
      const job = await make({
        productId: product.id,
        path: film,
        previewSeconds: 1,
        poster: 1,
        captions: [{ language: 'en', label: 'English', path: captions }],
        chapters: [{ startSeconds: 0, title: 'Opening' }],
      })
      expect(job).toMatchObject({ status: 'READY', percent: 100, step: null, failure: null })

      const [stream] = await tenantVideos.streams()
      expect(stream).toMatchObject({ captions: [{ language: 'en', label: 'English' }], previewSeconds: 2 })
      const [shown] = await tenant.within((db) => db.select().from(products).where(eq(products.id, product.id)))
      expect(shown).toMatchObject({ videoId: stream?.id, durationSeconds: 2 })
      expect(shown?.poster.url).toBe(`/media/${stream?.posterCandidates[0]}`)
      expect(shown?.poster).toMatchObject({ width: expect.any(Number), color: expect.stringMatching(/^#[0-9a-f]{6}$/) })
      expect((await media.get(shown?.poster.url ?? '')).status).toBe(200)
      const played = await tenant.guest.playback.startPlayback({ id: product.id })
      expect(played).toMatchObject({ chapters: [{ title: 'Opening' }] })
      for (const path of [played.manifestUrl, played.captions[0]?.url ?? ''])
        expect((await media.get(path)).status, path).toBe(200)
      expect(filesOf(api.deps).work).toEqual([])
      expect(sources()).toEqual([])
    },
    timeout,
  )

  test(
    'replaces another stream, which plays on for its viewers and is removed hours later',
    async () => {
      const { tenant, tenantVideos, make } = await arrangeVideos(api)
      const member = await tenant.createMember()
      const product = await tenant.createProduct({ kind: 'FREE', access: 'MEMBER', price: null })
      await make({ productId: product.id, path: film })
      const before = await member.client.playback.startPlayback({ id: product.id })
      const [old] = await tenantVideos.streams()

      const second = await tenantVideos.add({
        productId: product.id,
        path: makeFilm('longer.mp4', { seconds: 3, size: '160x90' }),
      })
      // Until the switch, all viewers get the old stream.
      expect((await member.client.playback.startPlayback({ id: product.id })).manifestUrl).toContain(`${old?.asset}/`)
      await tenantVideos.work(async () => (await tenantVideos.job(second)).status === 'READY')
      const after = await member.client.playback.startPlayback({ id: product.id })
      expect(after.manifestUrl).not.toContain(`${old?.asset}/`)
      expect(after.durationSeconds).toBeCloseTo(3, 0)
      const statusOf = async (path: string) => (await media.get(path, asMember(member.token))).status
      expect([await statusOf(before.manifestUrl), await statusOf(after.manifestUrl)]).toEqual([200, 200])

      await removeOldVideoFiles(api.deps, tenantVideos.ctx.customer as never)
      expect(await isStored(old?.asset)).toBe(true)
      api.clock.advance(7 * hour)
      await removeOldVideoFiles(api.deps, tenantVideos.ctx.customer as never)
      expect(await isStored(old?.asset)).toBe(false)
      expect((await tenantVideos.streams()).map(({ id }) => id)).toEqual([(await tenantVideos.job(second)).videoId])
      expect(filesOf(api.deps).streams.filter((folder) => folder?.startsWith(old?.id ?? '-'))).toEqual([])
    },
    timeout,
  )

  test(
    'becomes the stream of a lesson without one, and removing it closes the lesson at once',
    async () => {
      const { tenant, tenantVideos, make } = await arrangeVideos(api)
      const product = await tenant.createProduct({ access: 'FREE', price: null })
      const lessonId = newId<LessonId>()
      const at = { customerId: tenant.id, productId: product.id }
      await tenant.within((db) => db.insert(lessons).values({ ...at, id: lessonId, sort: 1, title: 'One' }))
      await make({ productId: product.id, lessonId, path: film })
      const shown = async () => (await tenant.guest.catalog.product({ id: product.id })).lessons
      expect(await shown()).toMatchObject([{ id: lessonId, durationSeconds: 2 }])
      const played = await tenant.guest.playback.startPlayback({ id: product.id, lessonId })
      expect((await media.get(played.manifestUrl)).status).toBe(200)

      const target = { productId: product.id, productCode: product.code, lessonId }
      const removed = await tenantVideos.ctx.inTransaction((ctx) => removeVideo(ctx, 'admin:Jo', target))
      expect(isFailure(removed)).toBe(false)
      expect((await media.get(played.manifestUrl)).status).toBe(403)
    },
    timeout,
  )
})

describe('a poster chosen by its number', () => {
  test(
    'that the film does not have is reported with the stream, and the poster stays',
    async () => {
      const { tenant, tenantVideos, make, operator } = await arrangeVideos(api)
      const product = await tenant.createProduct({ access: 'FREE', price: null })
      const job = await make({ productId: product.id, path: film, poster: 5 })
      const [stream] = await tenantVideos.streams()
      expect(job).toMatchObject({ status: 'READY', failure: 'NO_SUCH_POSTER' })
      const sentence = `the film has ${stream?.posterCandidates.length} poster frames and no frame 5.`
      const shown = await operator.videoJob({ id: job.id as VideoJobId })
      expect(shown).toMatchObject({ status: 'READY', why: { code: 'NO_SUCH_POSTER' } })
      expect(shown.why?.sentence).toContain(sentence)
      expect(describeJob(shown)).toContain(`ready. The poster was not changed: ${sentence}`)
      const [stored] = await tenant.within((db) => db.select().from(products))
      expect(stored?.poster.url).toBe('/media/art/none.webp')
    },
    timeout,
  )

  test('above five is refused before the file is copied', async () => {
    const { tenant, tenantVideos, sources } = await arrangeVideos(api)
    const { id: productId } = await tenant.createProduct()
    const answer = await tenantVideos.tryAdd({ productId, path: film, poster: 6 })
    expect(isFailure(answer) && answer.errors?.poster).toEqual(['The poster must be a number from 1 to 5.'])
    expect(sources()).toEqual([])
  })
})

describe('a file that cannot become a stream', () => {
  test(
    'is refused in a sentence, is not retried, and is not stored',
    async () => {
      const { tenant, make, operator, sources } = await arrangeVideos(api)
      const product = await tenant.createProduct()
      const text = writeText('notes.mp4', 'These are only words. '.repeat(500))
      const job = await make({ productId: product.id, path: text, name: 'notes.mp4' })
      expect(job).toMatchObject({ status: 'FAILED', failure: 'NOT_A_VIDEO', attempts: 1 })
      expect(job.reason).toContain('notes.mp4')
      expect(sources()).toEqual([])
      expect(filesOf(api.deps).work).toEqual([])
      expect(await operator.videoJob({ id: job.id as VideoJobId })).toMatchObject({ canRetry: false })
      const again = await failureOf(operator.retryVideoJob({ id: job.id as VideoJobId }))
      expect(again).toMatchObject({ status: 409, code: 'CONFLICT' })
      expect(again.problem.message).toContain('The file was rejected')
      expect(again.problem.errors.status).toEqual([again.problem.message])
    },
    timeout,
  )

  test('is not accepted while it is still being written', async () => {
    const { tenant, tenantVideos, sources } = await arrangeVideos(api)
    const { id: productId } = await tenant.createProduct()
    const growing = writeText('recording.mkv', 'the beginning')
    truncateSync(growing, 30e6)
    let recording = true
    const recorder = (async () => {
      while (recording) await appendFile(growing, 'more and more')
    })()
    const answer = await tenantVideos.tryAdd({ productId, path: growing }).finally(() => {
      recording = false
    })
    await recorder
    expect(isFailure(answer) && answer.errors?.file).toEqual([
      'recording.mkv changed while it was copied. Wait until it is complete and try again.',
    ])
    expect(sources()).toEqual([])
    expect(await tenant.within((db) => db.select().from(videoJobs))).toEqual([])
  })

  test('is not copied when it does not exist, is empty, or is larger than the free disk space', async () => {
    const { tenant, tenantVideos, sources } = await arrangeVideos(api)
    const { id: productId } = await tenant.createProduct()
    const vast = writeText('vast.mp4', 'x')
    truncateSync(vast, 9e12)
    expect(statSync(vast).size).toBe(9e12)
    const wrong = [
      { path: '/nowhere/lecture.mp4', says: '/nowhere/lecture.mp4 does not exist.' },
      { path: writeText('empty.mp4', ''), says: 'is empty.' },
      { path: vast, says: 'Not enough disk space: vast.mp4 needs about' },
    ]
    for (const { path, says } of wrong) {
      const answer = await tenantVideos.tryAdd({ productId, path })
      expect(isFailure(answer) && answer.errors?.file?.[0]).toContain(says)
    }
    const tongue = [{ language: 'klingon tongue', label: '', path: captions }]
    const answer = await tenantVideos.tryAdd({ productId, path: film, captions: tongue })
    expect(isFailure(answer) && answer.errors?.captions?.[0]).toContain('is not a language')
    expect(sources()).toEqual([])
    expect(await tenant.within((db) => db.select().from(videoJobs))).toEqual([])
  })
})
