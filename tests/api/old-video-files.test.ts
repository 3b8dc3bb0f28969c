import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { products, videos } from '#api/modules/catalog/catalog.schema.ts'
import { notices } from '#api/modules/content/content.schema.ts'
import { removeOldVideoFiles } from '#api/modules/media/encoding/encoders.ts'
import { newId } from '#api/platform/db/columns.ts'
import { parseMediaKey } from '#api/platform/storage/storage.ts'
import type { NoticeId, VideoId } from '#contract/ids.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { filesOf, videosOf } from '#tests/support/video-jobs.ts'

const api = createTestApi()
const hour = 3_600_000

const arrange = async () => {
  const tenant = await createTenant(api)
  const { ctx, streams } = await videosOf(api, tenant)
  const cleanUp = () => removeOldVideoFiles(api.deps, ctx.customer as never)
  const put = (key: string) => api.deps.storage.put(parseMediaKey(key)!, Buffer.from('x'))
  const poster = (id: string) => ({ ...picture, url: `/media/poster/${id}/poster-1.webp` })
  /** A video that was replaced just now, with its files. */
  const retired = async () => {
    const id = newId<VideoId>()
    for (const key of [`video/${id}/master.m3u8`, `video/${id}-preview/master.m3u8`, `poster/${id}/poster-1.webp`])
      await put(key)
    await tenant.within((db) =>
      db.insert(videos).values({
        customerId: tenant.id,
        id,
        asset: `video/${id}`,
        previewAsset: `video/${id}-preview`,
        bytes: 2,
        durationSeconds: 2,
        posterCandidates: [`poster/${id}/poster-1.webp`],
        retiredAt: api.clock.now().toISOString(),
      }),
    )
    return id
  }
  const remainingFiles = (id: string) => {
    const { streams: stored, posters } = filesOf(api.deps)
    return { stream: stored.includes(id) || stored.includes(`${id}-preview`), pictures: posters.includes(id) }
  }
  return { tenant, cleanUp, retired, poster, remainingFiles, streams }
}
const picture = { width: 1280, height: 720, alt: '', color: '#123456', sources: [] }

test('an unknown file among the video sources is logged and kept, and does not stop the removal of others', async () => {
  const logged: { unknownNames?: string[] }[] = []
  const { tenant, retired, remainingFiles } = await arrange()
  const place = join(api.deps.dataFolder, 'sources', tenant.id)
  const forgotten = newId()
  mkdirSync(join(place, '.Trash-1000'), { recursive: true })
  writeFileSync(join(place, '0-notes.txt'), 'not a film')
  mkdirSync(join(place, forgotten), { recursive: true })
  writeFileSync(join(place, forgotten, 'file.mp4'), 'given by a command that was killed')
  const id = await retired()
  api.clock.advance(7 * hour)
  const log = { ...api.deps.log, child: () => ({ warn: (fields: object) => logged.push(fields) }) }
  const { ctx } = await videosOf(api, tenant)
  const old = Date.now
  Date.now = () => old() + 2 * hour
  await removeOldVideoFiles({ ...api.deps, log: log as never }, ctx.customer as never).finally(() => {
    Date.now = old
  })
  expect(remainingFiles(id)).toEqual({ stream: false, pictures: false })
  expect(filesOf(api.deps).sources).toEqual([`${tenant.id}/0-notes.txt`])
  expect(logged.map(({ unknownNames }) => unknownNames?.sort())).toEqual([['.Trash-1000', '0-notes.txt']])
})

test('a failed removal does not stop the removal of other files, and is retried', async () => {
  const { tenant, retired, remainingFiles, cleanUp } = await arrange()
  const [stuck, other] = [await retired(), await retired()]
  api.clock.advance(7 * hour)
  const { ctx } = await videosOf(api, tenant)
  const storage: typeof api.deps.storage = {
    ...api.deps.storage,
    remove: async (key) => {
      if (key.includes(stuck)) throw new Error('EACCES: permission denied')
      await api.deps.storage.remove(key)
    },
  }
  await expect(removeOldVideoFiles({ ...api.deps, storage }, ctx.customer as never)).rejects.toThrow(
    'could not be deleted',
  )
  expect([remainingFiles(stuck), remainingFiles(other)]).toEqual([
    { stream: true, pictures: true },
    { stream: false, pictures: false },
  ])
  await cleanUp()
  expect(remainingFiles(stuck)).toEqual({ stream: false, pictures: false })
})

test.for(['poster', 'notice'] as const)(
  'pictures of a removed video are kept only as long as one is used as a %s',
  async (place) => {
    const { tenant, retired, remainingFiles, cleanUp, poster, streams } = await arrange()
    const id = await retired()
    const product = await tenant.createProduct()
    const noticeId = newId<NoticeId>()
    await tenant.within(async (db) => {
      if (place === 'poster')
        await db
          .update(products)
          .set({ posterTall: poster(id) })
          .where(eq(products.id, product.id))
      else
        await db.insert(notices).values({
          customerId: tenant.id,
          id: noticeId,
          title: 'New',
          body: `<img src="${poster(id).url}" alt="">`,
        })
    })
    api.clock.advance(7 * hour)
    for (let round = 0; round < 2; round++) {
      await cleanUp()
      expect(remainingFiles(id)).toEqual({ stream: false, pictures: true })
    }
    await tenant.within(async (db) => {
      await db.update(products).set({ posterTall: null })
      await db.update(notices).set({ body: 'Nothing to see.' })
    })
    await cleanUp()
    expect(remainingFiles(id)).toEqual({ stream: false, pictures: false })
    expect(await streams()).toEqual([])
  },
)

test('a replaced video that a product uses again keeps its files', async () => {
  const { tenant, retired, remainingFiles, cleanUp, streams } = await arrange()
  const id = await retired()
  const product = await tenant.createProduct()
  await tenant.within((db) => db.update(products).set({ videoId: id }).where(eq(products.id, product.id)))
  api.clock.advance(7 * hour)
  await cleanUp()
  expect(remainingFiles(id)).toEqual({ stream: true, pictures: true })
  expect(await streams()).toHaveLength(1)
})
