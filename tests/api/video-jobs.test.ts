import { describe, expect, test } from 'vitest'
import { videos } from '#api/modules/catalog/catalog.schema.ts'
import { openEncoders } from '#api/modules/media/encoding/encoders.ts'
import { videoJobs } from '#api/modules/media/media.schema.ts'
import { newId } from '#api/platform/db/columns.ts'
import { StorageUnavailable } from '#api/platform/storage/storage.ts'
import type { VideoJobId } from '#contract/ids.ts'
import { openMedia } from '#tests/support/media.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'
import { makeFilm, makeLongFilm } from '#tests/support/video-files.ts'
import { arrangeVideos, filesOf, videosOf } from '#tests/support/video-jobs.ts'

const api = createTestApi()
const media = await openMedia(api)
const timeout = 60_000
const film = makeFilm('lecture.mp4', { size: '160x90' })

/**
 * The connection breaks after the switch to a new stream was committed and before its answer
 * arrives.
 */
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
    const query = async (statement: string | { text: string }, ...rest: []) => {
      const text = typeof statement === 'string' ? statement : statement.text
      const answer = await client.query(statement, ...rest)
      if (/^insert into "videos"/.test(text)) switching = true
      if (text !== 'COMMIT' || !switching) return answer
      lost.push(text)
      throw new Error('Connection terminated unexpectedly')
    }
    return through(client, { query })
  }
  return { deps: { ...deps, pool: through(deps.pool, { connect }) }, lost }
}

describe('a job', () => {
  test.for(['answer of the switch is lost', 'sources cannot be removed'] as const)(
    'whose stream is live stays ready when the %s',
    { timeout },
    async (fault) => {
      const { tenant, tenantVideos, sources } = await arrangeVideos(api)
      const { id: productId } = await tenant.createProduct({ access: 'FREE', price: null })
      const id = await tenantVideos.add({ productId, path: film })
      const { deps, lost } = losingAnswer(api.deps)
      const remove = async (key: string) => {
        lost.push(key)
        throw new Error('EROFS: read-only file system')
      }
      const faulty = fault.startsWith('answer') ? deps : { ...api.deps, sources: { ...api.deps.sources, remove } }
      await (await videosOf(api, tenant, faulty)).work(async () => (await tenantVideos.job(id)).endedAt !== null)
      expect(lost).toHaveLength(1)
      expect(await tenantVideos.job(id)).toMatchObject({ status: 'READY', failure: null, step: null })
      const played = await tenant.guest.playback.startPlayback({ id: productId })
      expect((await media.get(played.manifestUrl)).status).toBe(200)
      expect(filesOf(api.deps).work).toEqual([])
      expect(sources()).toHaveLength(fault.startsWith('answer') ? 0 : 1)
    },
  )

  test(
    'that fails because the storage is unavailable is retried, and leaves no files',
    async () => {
      const { tenant, tenantVideos, sources } = await arrangeVideos(api)
      const { id: productId } = await tenant.createProduct()
      const id = await tenantVideos.add({ productId, path: film })
      let away = true
      const storage: typeof api.deps.storage = {
        ...api.deps.storage,
        putFolder: async (prefix, folder, options) => {
          await api.deps.storage.putFolder(prefix, folder, options)
          if (away) throw new StorageUnavailable('connection refused')
        },
      }
      const faulty = await videosOf(api, tenant, { ...api.deps, storage })
      await faulty.work(async () => (await tenantVideos.job(id)).failure !== null)
      const waiting = await tenantVideos.job(id)
      expect(waiting).toMatchObject({ status: 'QUEUED', failure: 'STORAGE', attempts: 1, endedAt: null })
      expect(Date.parse(waiting.dueAt)).toBeGreaterThan(Date.now())
      expect(filesOf(api.deps).streams).not.toContain(waiting.videoId)
      expect(sources()).toHaveLength(1)

      away = false
      await tenant.within((db) => db.update(videoJobs).set({ dueAt: new Date().toISOString() }))
      await faulty.work(async () => (await tenantVideos.job(id)).endedAt !== null)
      expect(await tenantVideos.job(id)).toMatchObject({ status: 'READY', attempts: 2, failure: null })
      expect(await tenantVideos.streams()).toHaveLength(1)
    },
    timeout,
  )

  test(
    'stops when it is cancelled, leaves no files, and can be started again',
    async () => {
      const { tenant, tenantVideos, done, operator } = await arrangeVideos(api)
      const product = await tenant.createProduct()
      const long = makeLongFilm('long.mp4', { times: 15, size: '640x360' })
      const id = (await tenantVideos.add({ productId: product.id, path: long })) as VideoJobId
      await using encoders = openEncoders(api.deps)
      encoders.enqueue(tenant.id)
      await expect.poll(async () => (await operator.videoJob({ id })).step, { timeout: 30_000 }).toBe('ENCODE')
      const remainingSeconds = async () => (await operator.videoJob({ id })).secondsLeft ?? 0
      await expect.poll(remainingSeconds, { timeout: 30_000 }).toBeGreaterThan(0)
      expect((await operator.videoJob({ id })).percent).toBeGreaterThan(0)
      expect(await operator.videoJob({ id })).toMatchObject({ status: 'RUNNING', canRetry: false })
      expect(await operator.cancelVideoJob({ id })).toMatchObject({ status: 'CANCELLED', canRetry: true })
      await expect.poll(() => filesOf(api.deps).work, { timeout: 10_000 }).toEqual([])
      expect(filesOf(api.deps).streams).not.toContain((await tenantVideos.job(id)).videoId)
      await expect.poll(() => tenantVideos.job(id)).toMatchObject({ status: 'CANCELLED', step: null })
      expect(await failureOf(operator.cancelVideoJob({ id: newId<VideoJobId>() }))).toMatchObject({ status: 404 })

      expect(await operator.retryVideoJob({ id })).toMatchObject({ status: 'QUEUED', why: null })
      // The last added file replaces the others.
      const next = await tenantVideos.add({ productId: product.id, path: film })
      expect(await operator.videoJob({ id })).toMatchObject({ status: 'CANCELLED', why: { code: 'SUPERSEDED' } })
      await tenantVideos.work(done([next]))
      const ready = (await operator.videoJobs({ status: 'READY' })).items
      expect(ready).toMatchObject([{ id: next, canRetry: false }])

      // The file of a canceled job is kept for a week.
      api.clock.advance(7 * 24 * 3_600_000 + 60_000)
      expect(await operator.videoJob({ id })).toMatchObject({ status: 'CANCELLED', canRetry: false })
      expect(await failureOf(operator.retryVideoJob({ id }))).toMatchObject({ status: 409, code: 'CONFLICT' })
    },
    timeout,
  )

  test(
    'runs beside others up to the limit, and is released without an attempt by a worker that stops',
    async () => {
      const { tenant, tenantVideos, done } = await arrangeVideos(api)
      const deps = { ...api.deps, video: { ...api.deps.video, encoders: 2 } }
      const ids: VideoJobId[] = []
      for (let count = 0; count < 3; count++)
        ids.push(await tenantVideos.add({ productId: (await tenant.createProduct()).id, path: film }))
      const running = async () => {
        const jobs = await Promise.all(ids.map(tenantVideos.job))
        return jobs.filter(({ status }) => status === 'RUNNING').length
      }
      const stopping = openEncoders(deps)
      stopping.enqueue(tenant.id)
      await expect.poll(running, { timeout: 10_000, interval: 20 }).toBe(2)
      const owned = () => filesOf(api.deps).work.some((path) => path.endsWith('owner.json'))
      await expect.poll(owned, { timeout: 10_000, interval: 20 }).toBe(true)
      await stopping[Symbol.asyncDispose]()
      for (const id of ids)
        expect(await tenantVideos.job(id)).toMatchObject({ status: 'QUEUED', attempts: 0, failure: null })
      expect(filesOf(api.deps).work).toEqual([])

      const counts: number[] = []
      const limited = await videosOf(api, tenant, deps)
      await limited.work(async () => {
        counts.push(await running())
        return done(ids)()
      })
      expect(Math.max(...counts)).toBe(2)
      expect(await tenant.within((db) => db.$count(videos))).toBe(3)
    },
    timeout,
  )

  test(
    'runs beside as many others as the machine allows, however many workers it has',
    async () => {
      const { tenant, tenantVideos, done } = await arrangeVideos(api)
      const ids: VideoJobId[] = []
      for (let count = 0; count < 3; count++)
        ids.push(await tenantVideos.add({ productId: (await tenant.createProduct()).id, path: film }))
      let highest = 0
      const running = async () => {
        const jobs = await Promise.all(ids.map(tenantVideos.job))
        return jobs.filter(({ status }) => status === 'RUNNING').length
      }
      // Counted at the end of each job: two that started together would both still be running.
      const storage: typeof api.deps.storage = {
        ...api.deps.storage,
        putFolder: async (prefix, folder, options) => {
          highest = Math.max(highest, await running())
          await api.deps.storage.putFolder(prefix, folder, options)
        },
      }
      await using one = openEncoders({ ...api.deps, storage })
      await using other = openEncoders({ ...api.deps, storage })
      for (const encoders of [one, other]) encoders.enqueue(tenant.id)
      await expect.poll(done(ids), { timeout }).toBe(true)
      expect(highest).toBe(1)
      expect(await tenant.within((db) => db.$count(videos))).toBe(3)
    },
    timeout,
  )

  test(
    'is started by another worker of the machine when the present one stops',
    async () => {
      const { tenant, tenantVideos, done } = await arrangeVideos(api)
      const long = makeLongFilm('long.mp4', { times: 15, size: '640x360' })
      const first = await tenantVideos.add({ productId: (await tenant.createProduct()).id, path: long })
      const one = openEncoders(api.deps)
      one.enqueue(tenant.id)
      await expect.poll(async () => (await tenantVideos.job(first)).step, { timeout: 30_000 }).toBe('ENCODE')
      const next = await tenantVideos.add({ productId: (await tenant.createProduct()).id, path: film })
      await using other = openEncoders(api.deps, [next])
      other.enqueue(tenant.id)
      expect((await tenantVideos.job(next)).status).toBe('QUEUED')
      await one[Symbol.asyncDispose]()
      await expect.poll(done([next]), { timeout: 30_000 }).toBe(true)
      expect(await tenantVideos.job(next)).toMatchObject({ status: 'READY' })
    },
    timeout,
  )
})
