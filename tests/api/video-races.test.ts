import type pg from 'pg'
import { expect, test } from 'vitest'
import type { Deps } from '#api/deps.ts'
import { openEncoders } from '#api/modules/media/encoding/encoders.ts'
import { settingsOf } from '#api/modules/tenancy/tenancy.queries.ts'
import type { VideoJobId } from '#contract/ids.ts'
import { gate } from '#tests/support/gate.ts'
import { openMedia } from '#tests/support/media.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { makeFilm } from '#tests/support/video-files.ts'
import { filesOf, videosOf } from '#tests/support/video-jobs.ts'

const api = createTestApi()
const media = await openMedia(api)
const timeout = 60_000
const film = makeFilm('lecture.mp4', { size: '160x90' })

/** Two workers of one machine; the first waits at the test's gates. */
const workers = () => {
  const deps = { ...api.deps, video: { ...api.deps.video, encoders: 2 } }
  const [storing, link, cleaning] = [gate(), gate(), gate()]
  let broken = false
  // The first worker's database connection hangs once it begins to store, so it gets no changes.
  const pool = new Proxy(deps.pool, {
    get: (target, name) => {
      const connect = async (): Promise<pg.PoolClient> => {
        if (broken) await link.pass()
        return target.connect()
      }
      const value = name === 'connect' ? connect : Reflect.get(target, name)
      return typeof value === 'function' && name !== 'connect' ? value.bind(target) : value
    },
  })
  const first: Deps = {
    ...deps,
    pool,
    storage: {
      ...deps.storage,
      putFolder: async (...given) => {
        broken = true
        await storing.pass()
        await deps.storage.putFolder(...given)
      },
    },
  }
  const second: Deps = {
    ...deps,
    storage: {
      ...deps.storage,
      remove: async (key) => {
        await cleaning.pass()
        await deps.storage.remove(key)
      },
    },
  }
  return { first, second, storing, link, cleaning }
}

test(
  'a worker that missed a job’s cancel and retry does not affect the later attempt',
  async () => {
    const tenant = await createTenant(api)
    const tenantVideos = await videosOf(api, tenant)
    const { client } = await tenant.createOperator()
    const { id: productId } = await tenant.createProduct({ access: 'FREE', price: null })
    const id = (await tenantVideos.add({ productId, path: film })) as VideoJobId
    const { first, second, storing, link, cleaning } = workers()

    await using late = openEncoders(first)
    late.enqueue(tenant.id)
    // The first worker stores its stream, and its heartbeat hangs.
    await expect.poll(() => [storing.waiting, link.waiting], { timeout }).toEqual([1, 1])
    const { videoId: before } = await tenantVideos.job(id)
    await client.media.cancelVideoJob({ id })
    expect(await client.media.retryVideoJob({ id })).toMatchObject({ status: 'QUEUED', attempts: 0 })
    await using next = openEncoders(second)
    next.enqueue(tenant.id)
    // The second worker has the job, and is about to remove the files of the first.
    await expect.poll(() => cleaning.waiting, { timeout }).toBe(1)
    storing.open()
    link.open()
    await expect.poll(() => filesOf(api.deps).work, { timeout }).toEqual([])
    cleaning.open()
    await expect.poll(async () => (await tenantVideos.job(id)).endedAt, { timeout }).not.toBeNull()

    const { videoId } = await tenantVideos.job(id)
    expect(videoId).not.toBe(before)
    expect(await client.media.videoJob({ id })).toMatchObject({ status: 'READY', attempts: 1, why: null })
    const played = await tenant.guest.playback.startPlayback({ id: productId })
    expect((await media.get(played.manifestUrl)).status).toBe(200)
    await expect
      .poll(() => filesOf(api.deps))
      .toMatchObject({
        work: [],
        sources: [],
        streams: [videoId, `${videoId}-preview`].sort(),
      })
    expect(await tenantVideos.streams()).toHaveLength(1)
  },
  timeout,
)

test(
  'a finished film is published once an import lets go of the store, and is not encoded again',
  async () => {
    const tenant = await createTenant(api)
    const tenantVideos = await videosOf(api, tenant)
    const { client } = await tenant.createOperator()
    const { id: productId } = await tenant.createProduct({ access: 'FREE', price: null })
    const id = (await tenantVideos.add({ productId, path: film })) as VideoJobId
    const [held, allowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let holding: Promise<unknown> | undefined
    const hold = () =>
      tenant.within(async (db) => {
        await settingsOf(db, tenant.id, 'FOR NO KEY UPDATE')
        held.resolve()
        await allowed.promise
      })
    const putFolder: Deps['storage']['putFolder'] = async (...given) => {
      holding ??= hold()
      await held.promise
      await api.deps.storage.putFolder(...given)
    }
    await using encoders = openEncoders({ ...api.deps, storage: { ...api.deps.storage, putFolder } })
    encoders.enqueue(tenant.id)
    await expect.poll(async () => (await tenantVideos.job(id)).step, { timeout }).toBe('STORE')
    // Longer than the time limit of a statement.
    await new Promise((resolve) => setTimeout(resolve, 11_000))
    allowed.resolve()
    await holding
    await expect.poll(async () => (await tenantVideos.job(id)).endedAt, { timeout }).not.toBeNull()
    expect(await client.media.videoJob({ id })).toMatchObject({ status: 'READY', attempts: 1, why: null })
  },
  timeout,
)
