import { describe, expect, test } from 'vitest'
import { videos } from '#api/modules/catalog/catalog.schema.ts'
import { openEncoders } from '#api/modules/media/encoding/encoders.ts'
import { videoJobs } from '#api/modules/media/media.schema.ts'
import { newId } from '#api/platform/db/columns.ts'
import { StorageUnavailable } from '#api/platform/storage/storage.ts'
import type { VideoJobId } from '#contract/ids.ts'
import { openMedia } from '#tests/support/media.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'
import { makeFilm } from '#tests/support/video-files.ts'
import { arrangeVideos, filesOf, videosOf } from '#tests/support/video-jobs.ts'

const api = createTestApi()
const media = await openMedia(api)
const patience = 60_000
const film = makeFilm('lecture.mp4', { size: '160x90' })

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
      const { tenant, given, sources } = await arrangeVideos(api)
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
      expect(sources()).toHaveLength(fault.startsWith('answer') ? 0 : 1)
    },
  )

  test(
    'that fails because the storage is away waits, leaves nothing, and succeeds the next time',
    async () => {
      const { tenant, given, sources } = await arrangeVideos(api)
      const { id: productId } = await tenant.createProduct()
      const id = await given.given({ productId, path: film })
      let away = true
      const storage: typeof api.deps.storage = {
        ...api.deps.storage,
        putFolder: async (prefix, folder, options) => {
          await api.deps.storage.putFolder(prefix, folder, options)
          if (away) throw new StorageUnavailable('connection refused')
        },
      }
      const faulty = await videosOf(api, tenant, { ...api.deps, storage })
      await faulty.work(async () => (await given.job(id)).failure !== null)
      const waiting = await given.job(id)
      expect(waiting).toMatchObject({ status: 'QUEUED', failure: 'STORAGE', attempts: 1, endedAt: null })
      expect(Date.parse(waiting.dueAt)).toBeGreaterThan(Date.now())
      expect(filesOf(api.deps).streams).not.toContain(waiting.videoId)
      expect(sources()).toHaveLength(1)

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
      const { tenant, given, done, operator } = await arrangeVideos(api)
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
      await expect.poll(() => given.job(id)).toMatchObject({ status: 'CANCELLED', step: null })
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
      const { tenant, given, done } = await arrangeVideos(api)
      const deps = { ...api.deps, video: { ...api.deps.video, encoders: 2 } }
      const ids: VideoJobId[] = []
      for (let count = 0; count < 3; count++)
        ids.push(await given.given({ productId: (await tenant.createProduct()).id, path: film }))
      const running = async () => {
        const jobs = await Promise.all(ids.map(given.job))
        return jobs.filter(({ status }) => status === 'RUNNING').length
      }
      const stopping = openEncoders(deps)
      stopping.wake(tenant.id)
      await expect.poll(running, { timeout: 10_000, interval: 20 }).toBe(2)
      const owned = () => filesOf(api.deps).work.some((path) => path.endsWith('owner.json'))
      await expect.poll(owned, { timeout: 10_000, interval: 20 }).toBe(true)
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

  test(
    'is made beside as many others as the machine may, however many workers it has',
    async () => {
      const { tenant, given, done } = await arrangeVideos(api)
      const ids: VideoJobId[] = []
      for (let count = 0; count < 3; count++)
        ids.push(await given.given({ productId: (await tenant.createProduct()).id, path: film }))
      let most = 0
      const running = async () => {
        const jobs = await Promise.all(ids.map(given.job))
        return jobs.filter(({ status }) => status === 'RUNNING').length
      }
      // Counted at the end of each: two that began together would both run still.
      const storage: typeof api.deps.storage = {
        ...api.deps.storage,
        putFolder: async (prefix, folder, options) => {
          most = Math.max(most, await running())
          await api.deps.storage.putFolder(prefix, folder, options)
        },
      }
      await using one = openEncoders({ ...api.deps, storage })
      await using other = openEncoders({ ...api.deps, storage })
      for (const encoders of [one, other]) encoders.wake(tenant.id)
      await expect.poll(done(ids), { timeout: patience }).toBe(true)
      expect(most).toBe(1)
      expect(await tenant.within((db) => db.$count(videos))).toBe(3)
    },
    patience,
  )

  test(
    'is begun by another worker of the machine when the one that was at work stops',
    async () => {
      const { tenant, given, done } = await arrangeVideos(api)
      const long = makeFilm('long.mp4', { seconds: 150, size: '640x360' })
      const first = await given.given({ productId: (await tenant.createProduct()).id, path: long })
      const one = openEncoders(api.deps)
      one.wake(tenant.id)
      await expect.poll(async () => (await given.job(first)).step, { timeout: 30_000 }).toBe('ENCODE')
      const next = await given.given({ productId: (await tenant.createProduct()).id, path: film })
      await using other = openEncoders(api.deps, [next])
      other.wake(tenant.id)
      expect((await given.job(next)).status).toBe('QUEUED')
      await one[Symbol.asyncDispose]()
      await expect.poll(done([next]), { timeout: 30_000 }).toBe(true)
      expect(await given.job(next)).toMatchObject({ status: 'READY' })
    },
    patience,
  )
})
