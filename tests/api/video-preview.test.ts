import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { videos as videoRows } from '#api/modules/catalog/catalog.schema.ts'
import { removeOldVideoFiles } from '#api/modules/media/encoding/encoders.ts'
import { checkStream } from '#api/modules/media/package/check-stream.ts'
import { retiredRetentionMilliseconds } from '#api/modules/media/video-job-states.ts'
import { removeVideo } from '#api/modules/media/video-jobs.ts'
import { StorageUnavailable } from '#api/platform/storage/storage.ts'
import type { StoreVideo } from '#contract/admin/videos.ts'
import { createFilm, openMedia } from '#tests/support/media.ts'
import { createTenant, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'
import { makeFilm, writeText } from '#tests/support/video-files.ts'
import { arrangeVideos, filesOf } from '#tests/support/video-jobs.ts'

const api = createTestApi()
const media = await openMedia(api)
const timeout = 60_000
const film = makeFilm('harbour.mp4', { size: '160x90', seconds: 10 })
const english = writeText(
  'harbour.en.srt',
  '1\n00:00:00,500 --> 00:00:01,500\nThe boats leave.\n\n2\n00:00:06,500 --> 00:00:07,500\nThe boats come home.\n',
)

const at = (staff: TestStaff, { version }: Pick<StoreVideo, 'version'>) => staff.withVersion(version).admin.videos

/** A product with a film of ten seconds, English captions, and a preview of its first two. */
const arrange = async () => {
  const { tenant, tenantVideos, make } = await arrangeVideos(api)
  const product = await tenant.createProduct({ access: 'FREE', price: null })
  const captions = [{ language: 'en', label: 'English', path: english }]
  expect(await make({ productId: product.id, path: film, previewSeconds: 2, captions })).toMatchObject({
    status: 'READY',
  })
  const staff = await tenant.createStaff('CATALOG')
  const { videoId } = await staff.client.admin.products.get({ code: product.code })
  if (!videoId) throw new Error('The product has no video')
  const id = videoId
  const video = await staff.client.admin.videos.get({ id })
  const row = async () => (await tenant.within((db) => db.select().from(videoRows).where(eq(videoRows.id, id))))[0]
  return {
    tenant,
    tenantVideos,
    product,
    staff,
    id,
    video,
    row,
    preview: () => tenant.guest.playback.preview({ id: product.id, previewId: id }),
    /** What the storage has of the video and its previews. */
    streams: () => filesOf(api.deps).streams.filter((name) => name?.startsWith(id)),
    /** Runs the hourly task some hours later. */
    cleanUp: async () => {
      api.clock.advance(retiredRetentionMilliseconds + 60_000)
      await removeOldVideoFiles(api.deps, tenantVideos.ctx.customer as never)
    },
  }
}

test(
  'the preview begins and lasts as chosen, and the former one plays until its files are deleted',
  async () => {
    const { tenant, product, staff, id, video, row, preview, streams, cleanUp } = await arrange()
    expect(video.preview).toEqual({ startSeconds: 0, seconds: 2 })
    const former = await preview()
    const before = await row()

    const changed = await at(staff, video).setPreview({ id, startSeconds: 6.5, seconds: 4 })
    expect(changed.preview).toEqual({ startSeconds: 6, seconds: 4 })
    expect(changed.version).not.toBe(video.version)
    expect(changed.history[0]).toMatchObject({
      action: 'video.preview-changed',
      actor: `staff:${staff.email}`,
      changes: { previewStartSeconds: { from: 0, to: 6 }, previewSeconds: { from: 2, to: 4 } },
    })
    const { history } = await staff.client.admin.products.get({ code: product.code })
    expect(history[0]).toMatchObject({ action: 'video.preview-changed', detail: { video: id } })
    const shown = await preview()
    expect(shown.durationSeconds).toBe(4)
    expect(shown.manifestUrl).not.toBe(former.manifestUrl)
    const after = await row()
    const folder = join(api.deps.dataFolder, 'media', after?.previewAsset ?? '')
    expect(await checkStream(folder)).toEqual([])
    expect((await media.get(shown.captions[0]?.url ?? '')).text).toContain(
      '00:00:00.500 --> 00:00:01.500\nThe boats come',
    )
    expect((await media.get(shown.captions[0]?.url ?? '')).text).not.toContain('leave')
    expect((await tenant.guest.catalog.product({ id: product.id })).previewSeconds).toBe(4)
    // It is larger than the former one, and counts in its place.
    expect(after?.bytes).toBeGreaterThan(before?.bytes ?? 0)
    expect(filesOf(api.deps).work).toEqual([])

    // Who watches the former one can go on for some hours.
    expect((await media.get(former.manifestUrl)).status).toBe(200)
    expect(streams()).toHaveLength(3)
    await cleanUp()
    expect((await media.get(former.manifestUrl)).status).toBe(404)
    expect((await media.get(shown.manifestUrl)).status).toBe(200)
    expect(streams()).toHaveLength(2)

    // Edited captions appear in the new preview, at its own times.
    const words = new File(['WEBVTT\n\n00:08.000 --> 00:09.000\nThe ebb begins.\n'], 'captions.vtt')
    const worded = await at(staff, changed).setCaptions({ id, language: 'en', file: words })
    const track = (await preview()).captions[0]?.url ?? ''
    expect((await media.get(track)).text).toContain('00:00:02.000 --> 00:00:03.000\nThe ebb begins.')
    // And a preview that is cut after that has them, under the present name of the master playlist.
    const moved = await at(staff, worded).setPreview({ id, startSeconds: 8, seconds: 2 })
    const last = await preview()
    expect((await media.get(last.manifestUrl)).text).toContain('TYPE=SUBTITLES')
    expect((await media.get(last.captions[0]?.url ?? '')).text).toContain('00:00:00.000 --> 00:00:01.000\nThe ebb')

    const none = await at(staff, moved).setPreview({ id, startSeconds: 0, seconds: 0 })
    expect(none.preview).toBeNull()
    expect(none.history[0]).toMatchObject({
      changes: { previewStartSeconds: { from: 8, to: null }, previewSeconds: { from: 2, to: null } },
    })
    expect(await failureOf(preview())).toMatchObject({ code: 'NOT_FOUND' })
    expect((await tenant.guest.catalog.product({ id: product.id })).previewSeconds).toBeNull()
    await cleanUp()
    expect(streams()).toEqual([id])

    // A video that is deleted leaves no preview.
    await at(staff, none).setPreview({ id, startSeconds: 2, seconds: 2 })
    expect(streams()).toHaveLength(2)
    await staff.client.admin.products.removeVideo({ code: product.code })
    await cleanUp()
    expect(streams()).toEqual([])
    expect(await tenant.within((db) => db.$count(videoRows))).toBe(0)
  },
  timeout,
)

test(
  'invalid values, old versions and the wrong permission are refused, and nothing is stored',
  async () => {
    const { tenant, staff, id, video, streams } = await arrange()
    const stored = streams()
    const refusalOf = (startSeconds: number, seconds: number) =>
      failureOf(at(staff, video).setPreview({ id, startSeconds, seconds }))
    for (const [startSeconds, seconds, field, text] of [
      [10, 2, 'startSeconds', /before the end of the video \(10/],
      [-1, 2, 'startSeconds', /./],
      [0, 601, 'seconds', /600/],
      [0, 1.5, 'seconds', /./],
    ] as const)
      expect(await refusalOf(startSeconds, seconds)).toMatchObject({
        code: 'VALIDATION_FAILED',
        problem: { errors: { [field]: [expect.stringMatching(text)] } },
      })
    const input = { id, startSeconds: 4, seconds: 2 }
    expect(await failureOf(staff.client.admin.videos.setPreview(input))).toMatchObject({ code: 'VERSION_MISSING' })
    const support = await tenant.createStaff('SUPPORT')
    expect(await failureOf(at(support, video).setPreview(input))).toMatchObject({ code: 'FORBIDDEN' })
    // What is set already changes nothing.
    const same = await at(staff, video).setPreview({ id, startSeconds: 0, seconds: 2 })
    expect(same).toMatchObject({ version: video.version, history: video.history })
    expect(streams()).toEqual(stored)

    const answers = await Promise.allSettled(
      [2, 4].map((startSeconds) => at(staff, video).setPreview({ ...input, startSeconds })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const { preview, version } = await staff.client.admin.videos.get({ id })
    expect(preview).toEqual({ startSeconds: answers[0]?.status === 'fulfilled' ? 2 : 4, seconds: 2 })
    expect(await failureOf(at(staff, video).setPreview(input))).toMatchObject({ code: 'VERSION_CONFLICT' })
    expect(version).not.toBe(video.version)
  },
  timeout,
)

test(
  'a preview whose video is deleted meanwhile, or that cannot be stored, leaves no files',
  async () => {
    const { tenant, tenantVideos, product, staff, id, video, streams, cleanUp } = await arrange()
    const stored = streams()
    const { storage } = api.deps
    const { putFolder } = storage
    const input = { id, startSeconds: 4, seconds: 2 }
    const during = async (work: typeof putFolder) => {
      storage.putFolder = work
      return failureOf(at(staff, video).setPreview(input)).finally(() => {
        storage.putFolder = putFolder
      })
    }
    // As if the process had ended here: a part of the files is stored.
    expect(
      await during(async (...files) => {
        await putFolder(...files)
        throw new StorageUnavailable(new Error('The disk does not answer'))
      }),
    ).toMatchObject({ status: 503 })
    expect(streams()).toHaveLength(stored.length + 1)
    expect(await staff.client.admin.videos.get({ id })).toMatchObject({ version: video.version })
    await cleanUp()
    expect(streams()).toEqual(stored)

    const target = { productId: product.id, productCode: product.code, lessonId: null }
    expect(
      await during(async (...files) => {
        await putFolder(...files)
        await tenantVideos.ctx.inTransaction((inside) => removeVideo(inside, 'admin:Jo', target))
      }),
    ).toMatchObject({ code: 'NOT_FOUND' })
    await cleanUp()
    expect(streams()).toEqual([])
    expect(await tenant.within((db) => db.$count(videoRows))).toBe(0)
  },
  timeout,
)

test('a stream of another packager keeps its preview, which can only be removed', async () => {
  const tenant = await createTenant(api)
  const { video, id: productId } = await createFilm(tenant, { access: 'FREE', price: null })
  await media.write(`${video.asset}/master.m3u8`, '#EXTM3U\n')
  const staff = await tenant.createStaff('CATALOG')
  const { id } = video
  const before = await staff.client.admin.videos.get({ id })
  expect(await failureOf(at(staff, before).setPreview({ id, startSeconds: 4, seconds: 2 }))).toMatchObject({
    code: 'CONFLICT',
    problem: { errors: { id: [expect.stringContaining('Upload it again')] } },
  })
  const none = await at(staff, before).setPreview({ id, startSeconds: 0, seconds: 0 })
  expect(none.preview).toBeNull()
  expect(await failureOf(tenant.guest.playback.preview({ id: productId, previewId: id }))).toMatchObject({
    code: 'NOT_FOUND',
  })
})
