import { statSync, truncateSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { lessons, products, videos } from '#api/db/schema/catalog.ts'
import { videoJobs } from '#api/db/schema/videos.ts'
import { newId } from '#api/db/uuid.ts'
import { isFailure } from '#api/domain/failure.ts'
import { removeVideo } from '#api/domain/videos/remove-video.ts'
import { openEncoders } from '#api/jobs/videos/encoders.ts'
import { tidyVideos } from '#api/jobs/videos/tidy.ts'
import { parseMediaKey } from '#api/media/key.ts'
import { StorageAway } from '#api/media/storage.ts'
import type { LessonId, VideoJobId } from '#contract/ids.ts'
import { asMember, openMedia } from '#tests/support/media.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'
import { makeFilm, writeText } from '#tests/support/video-files.ts'
import { filesOf, videosOf } from '#tests/support/video-jobs.ts'

const api = createTestApi()
const media = await openMedia(api)
const patience = 60_000
const hour = 3_600_000
const film = makeFilm('lecture.mp4', { size: '160x90' })
const captions = writeText('lecture.en.srt', '1\n00:00:00,000 --> 00:00:01,500\nThe tide turns at noon.\n')

const arrange = async () => {
  const tenant = await createTenant(api)
  const given = await videosOf(api, tenant)
  const operator = await tenant.createOperator()
  const done = (ids: readonly string[]) => async () =>
    (await Promise.all(ids.map(given.job))).every(({ endedAt }) => endedAt !== null)
  /** Gives a file and sees it to its end. */
  const make = async (wish: Parameters<typeof given.given>[0]) => {
    const id = await given.given(wish)
    await given.work(done([id]))
    return given.job(id)
  }
  return { tenant, given, done, make, operator: operator.client.videos }
}
const filesIn = (tenant: { id: string }) => filesOf(api.deps).sources.filter((path) => path.startsWith(tenant.id))
const isStored = async (asset: string | undefined) =>
  (await api.deps.storage.open(parseMediaKey(`${asset}/master.m3u8`)!)) !== null

describe('A file that is given', () => {
  test(
    'becomes the stream of its product, with captions, chapters, a preview and a poster, and leaves nothing else',
    async () => {
      const { tenant, given, make } = await arrange()
      const product = await tenant.createProduct({ access: 'FREE', price: null })
      const job = await make({
        ...{ productId: product.id, path: film, previewSeconds: 1, poster: 1 },
        captions: [{ language: 'en', label: 'English', path: captions }],
        chapters: [{ startSeconds: 0, title: 'Opening' }],
      })
      expect(job).toMatchObject({ status: 'READY', percent: 100, step: null, failure: null })

      const [stream] = await given.streams()
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
      expect(filesIn(tenant)).toEqual([])
    },
    patience,
  )

  test(
    'takes the place of another stream, which plays on for those who watch it and is gone hours later',
    async () => {
      const { tenant, given, make } = await arrange()
      const member = await tenant.createMember()
      const product = await tenant.createProduct({ kind: 'FREE', access: 'MEMBER', price: null })
      await make({ productId: product.id, path: film })
      const before = await member.client.playback.startPlayback({ id: product.id })
      const [old] = await given.streams()

      const second = await given.given({
        productId: product.id,
        path: makeFilm('longer.mp4', { seconds: 3, size: '160x90' }),
      })
      // Until the switch, the old one is what everyone gets.
      expect((await member.client.playback.startPlayback({ id: product.id })).manifestUrl).toContain(`${old?.asset}/`)
      await given.work(async () => (await given.job(second)).status === 'READY')
      const after = await member.client.playback.startPlayback({ id: product.id })
      expect(after.manifestUrl).not.toContain(`${old?.asset}/`)
      expect(after.durationSeconds).toBeCloseTo(3, 0)
      const ask = async (path: string) => (await media.get(path, asMember(member.token))).status
      expect([await ask(before.manifestUrl), await ask(after.manifestUrl)]).toEqual([200, 200])

      await tidyVideos(api.deps, given.env.customer as never)
      expect(await isStored(old?.asset)).toBe(true)
      api.clock.advance(7 * hour)
      await tidyVideos(api.deps, given.env.customer as never)
      expect(await isStored(old?.asset)).toBe(false)
      expect((await given.streams()).map(({ id }) => id)).toEqual([(await given.job(second)).videoId])
      expect(filesOf(api.deps).streams.filter((folder) => folder?.startsWith(old?.id ?? '-'))).toEqual([])
    },
    patience,
  )

  test(
    'becomes the stream of a lesson that had none, and taking it away closes it at once',
    async () => {
      const { tenant, given, make } = await arrange()
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
      const removed = await given.env.inTransaction((ctx) => removeVideo(ctx, 'desk:Jo', target))
      expect(isFailure(removed)).toBe(false)
      expect((await media.get(played.manifestUrl)).status).toBe(403)
    },
    patience,
  )
})

describe('A file that cannot become a stream', () => {
  test(
    'is refused in a sentence, is not tried again, and is not kept',
    async () => {
      const { tenant, make, operator } = await arrange()
      const product = await tenant.createProduct()
      const text = writeText('notes.mp4', 'These are only words. '.repeat(500))
      const job = await make({ productId: product.id, path: text, name: 'notes.mp4' })
      expect(job).toMatchObject({ status: 'FAILED', failure: 'NOT_A_VIDEO', attempts: 1 })
      expect(job.reason).toContain('notes.mp4')
      expect(filesIn(tenant)).toEqual([])
      expect(filesOf(api.deps).work).toEqual([])
      const again = await failureOf(operator.retryVideoJob({ id: job.id as VideoJobId }))
      expect(again).toMatchObject({ status: 409, code: 'CONFLICT' })
      expect(again.problem.errors.status?.[0]).toContain('The file itself was refused')
    },
    patience,
  )

  test('is not even copied when it is not there, is empty, or is larger than the disk has room for', async () => {
    const { tenant, given } = await arrange()
    const { id: productId } = await tenant.createProduct()
    const vast = writeText('vast.mp4', 'x')
    truncateSync(vast, 9e12)
    expect(statSync(vast).size).toBe(9e12)
    const wrong = [
      { path: '/nowhere/lecture.mp4', says: 'There is no file /nowhere/lecture.mp4.' },
      { path: writeText('empty.mp4', ''), says: 'is empty.' },
      { path: vast, says: 'The disk is too full: vast.mp4 needs about' },
    ]
    for (const { path, says } of wrong) {
      const answer = await given.give({ productId, path })
      expect(isFailure(answer) && answer.errors?.file?.[0]).toContain(says)
    }
    const tongue = [{ language: 'klingon tongue', label: '', path: captions }]
    const answer = await given.give({ productId, path: film, captions: tongue })
    expect(isFailure(answer) && answer.errors?.captions?.[0]).toContain('is no language')
    expect(filesIn(tenant)).toEqual([])
    expect(await tenant.within((db) => db.select().from(videoJobs))).toEqual([])
  })
})

/** The connection breaks after the switch to a new stream was committed and before the answer came. */
const losingAnswer = (deps: typeof api.deps) => {
  const lost: string[] = []
  const through = <Whole extends object>(whole: Whole, own: Partial<Record<keyof Whole, unknown>>) =>
    new Proxy(whole, {
      get: (target, name) => {
        const value = own[name as keyof Whole] ?? Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  const connect = async () => {
    const client = await deps.pool.connect()
    let switching = false
    const query = async (asked: string | { text: string }, ...rest: []) => {
      const text = typeof asked === 'string' ? asked : asked.text
      const answer = await client.query(asked, ...rest)
      if (/^insert into "videos"/.test(text)) switching = true
      if (text !== 'COMMIT' || !switching) return answer
      lost.push(text)
      throw new Error('Connection terminated unexpectedly')
    }
    return through(client, { query })
  }
  return { deps: { ...deps, pool: through(deps.pool, { connect }) }, lost }
}

describe('A job', () => {
  test.for(['answer of the switch is lost', 'sources cannot be removed'] as const)(
    'whose stream is live stays so when the %s',
    { timeout: patience },
    async (fault) => {
      const { tenant, given } = await arrange()
      const { id: productId } = await tenant.createProduct({ access: 'FREE', price: null })
      const id = await given.given({ productId, path: film })
      const { deps, lost } = losingAnswer(api.deps)
      const remove = async (key: string) => {
        lost.push(key)
        throw new Error('EROFS: read-only file system')
      }
      const faulty = fault.startsWith('answer') ? deps : { ...api.deps, sources: { ...api.deps.sources, remove } }
      await (await videosOf(api, tenant, faulty)).work(async () => (await given.job(id)).endedAt !== null)
      expect(lost).toHaveLength(1)
      expect(await given.job(id)).toMatchObject({ status: 'READY', failure: null, step: null })
      const played = await tenant.guest.playback.startPlayback({ id: productId })
      expect((await media.get(played.manifestUrl)).status).toBe(200)
      expect(filesOf(api.deps).work).toEqual([])
      expect(filesIn(tenant)).toHaveLength(fault.startsWith('answer') ? 0 : 1)
    },
  )

  test(
    'that fails because the storage is away waits, leaves nothing, and succeeds the next time',
    async () => {
      const { tenant, given } = await arrange()
      const { id: productId } = await tenant.createProduct()
      const id = await given.given({ productId, path: film })
      let away = true
      const storage: typeof api.deps.storage = {
        ...api.deps.storage,
        putFolder: async (prefix, folder, options) => {
          await api.deps.storage.putFolder(prefix, folder, options)
          if (away) throw new StorageAway('connection refused')
        },
      }
      const faulty = await videosOf(api, tenant, { ...api.deps, storage })
      await faulty.work(async () => (await given.job(id)).failure !== null)
      const waiting = await given.job(id)
      expect(waiting).toMatchObject({ status: 'QUEUED', failure: 'STORAGE', attempts: 1, endedAt: null })
      expect(Date.parse(waiting.dueAt)).toBeGreaterThan(Date.now())
      expect(filesOf(api.deps).streams).not.toContain(waiting.videoId)
      expect(filesIn(tenant)).toHaveLength(1)

      away = false
      await tenant.within((db) => db.update(videoJobs).set({ dueAt: new Date().toISOString() }))
      await faulty.work(async () => (await given.job(id)).endedAt !== null)
      expect(await given.job(id)).toMatchObject({ status: 'READY', attempts: 2, failure: null })
      expect(await given.streams()).toHaveLength(1)
    },
    patience,
  )

  test(
    'is stopped by a cancel while it runs, leaves nothing, and can be begun again',
    async () => {
      const { tenant, given, done, operator } = await arrange()
      const product = await tenant.createProduct()
      const long = makeFilm('long.mp4', { seconds: 150, size: '640x360' })
      const id = (await given.given({ productId: product.id, path: long })) as VideoJobId
      await using encoders = openEncoders(api.deps)
      encoders.wake(tenant.id)
      await expect.poll(async () => (await operator.videoJob({ id })).step, { timeout: 30_000 }).toBe('ENCODE')
      const left = async () => (await operator.videoJob({ id })).secondsLeft ?? 0
      await expect.poll(left, { timeout: 30_000 }).toBeGreaterThan(0)
      expect((await operator.videoJob({ id })).percent).toBeGreaterThan(0)
      expect(await operator.cancelVideoJob({ id })).toMatchObject({ status: 'CANCELLED' })
      await expect.poll(() => filesOf(api.deps).work, { timeout: 10_000 }).toEqual([])
      expect(filesOf(api.deps).streams).not.toContain((await given.job(id)).videoId)
      expect(await given.job(id)).toMatchObject({ status: 'CANCELLED', step: null })
      expect(await failureOf(operator.cancelVideoJob({ id: newId<VideoJobId>() }))).toMatchObject({ status: 404 })

      expect(await operator.retryVideoJob({ id })).toMatchObject({ status: 'QUEUED', why: null })
      // The file given last is the one that counts.
      const next = await given.given({ productId: product.id, path: film })
      expect(await operator.videoJob({ id })).toMatchObject({ status: 'CANCELLED', why: { code: 'SUPERSEDED' } })
      await given.work(done([next]))
      expect((await operator.videoJobs({ status: 'READY' })).items.map((job) => job.id)).toEqual([next])
    },
    patience,
  )

  test(
    'runs beside others up to the limit, and is given back uncounted by a worker that stops',
    async () => {
      const { tenant, given, done } = await arrange()
      const deps = { ...api.deps, video: { ...api.deps.video, encoders: 2 } }
      const ids: string[] = []
      for (let count = 0; count < 3; count++)
        ids.push(await given.given({ productId: (await tenant.createProduct()).id, path: film }))
      const running = async () => {
        const jobs = await Promise.all(ids.map(given.job))
        return jobs.filter(({ status }) => status === 'RUNNING').length
      }
      const stopping = openEncoders(deps)
      stopping.wake(tenant.id)
      await expect.poll(running, { timeout: 10_000, interval: 20 }).toBe(2)
      expect(filesOf(api.deps).work.filter((path) => path.endsWith('owner.json')).length).toBeGreaterThan(0)
      await stopping[Symbol.asyncDispose]()
      for (const id of ids) expect(await given.job(id)).toMatchObject({ status: 'QUEUED', attempts: 0, failure: null })
      expect(filesOf(api.deps).work).toEqual([])

      const most: number[] = []
      const limited = await videosOf(api, tenant, deps)
      await limited.work(async () => {
        most.push(await running())
        return done(ids)()
      })
      expect(Math.max(...most)).toBe(2)
      expect(await tenant.within((db) => db.$count(videos))).toBe(3)
    },
    patience,
  )
})
