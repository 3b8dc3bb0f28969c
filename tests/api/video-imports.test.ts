import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { products } from '#api/modules/catalog/catalog.schema.ts'
import { removeOldVideoFiles } from '#api/modules/media/encoding/encoders.ts'
import { videoJobs } from '#api/modules/media/media.schema.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { commandOf, folderOf } from '#tests/support/command.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { makeFilm } from '#tests/support/video-files.ts'
import { arrangeVideos, filesOf } from '#tests/support/video-jobs.ts'

const api = createTestApi()
const run = commandOf(api)
const film = makeFilm('lecture.mp4', { size: '160x90' })

test('concurrent imports of one video create one job, and leave no files of the others', async () => {
  const { tenant, tenantVideos, done, sources } = await arrangeVideos(api)
  const { ctx } = tenantVideos
  const product = await tenant.createProduct({ code: 'V1', access: 'FREE', price: null })
  const folder = await folderOf({
    'products.csv': 'code,title,kind,video\r\nV1,One,VOD,films/one.mp4\r\n',
    'films/one.mp4': readFileSync(film),
  })
  const answers = await Promise.all(
    Array.from({ length: 2 }, () => run(['catalog', 'import', folder, '-c', tenant.code, '--by', 'Jo'])),
  )
  expect(answers.map(({ code, err }) => ({ code, err }))).toEqual(Array(2).fill({ code: 0, err: '' }))
  const jobs = await tenant.within((db) => db.select().from(videoJobs))
  const open = jobs.filter(({ endedAt }) => endedAt === null)
  expect(open).toHaveLength(1)
  expect(jobs.filter(({ failure }) => failure === 'SUPERSEDED')).toHaveLength(jobs.length - 1)

  await tenantVideos.work(done(open.map(({ id }) => id)))
  expect(await tenantVideos.job(open[0]!.id)).toMatchObject({ status: 'READY', failure: null })
  const [stream, ...more] = await tenantVideos.streams()
  expect(more).toEqual([])
  expect(await tenant.within((db) => db.select().from(products))).toMatchObject([{ videoId: stream?.id }])
  expect((await tenant.guest.playback.startPlayback({ id: product.id })).durationSeconds).toBeCloseTo(2, 0)
  // Sources of failed duplicate jobs are kept for a week, for a retry.
  api.clock.advance(8 * dayMilliseconds)
  await removeOldVideoFiles(api.deps, ctx.customer as never)
  const left = await tenant.within((db) => db.select().from(videoJobs))
  expect(sources(), JSON.stringify([sources(), left, api.clock.now()])).toEqual([])
  expect(filesOf(api.deps).work).toEqual([])
}, 180_000)
