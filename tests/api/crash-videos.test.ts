import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cleanUpVideos, removeOldVideoFiles, startEncoders } from '#api/modules/media/encoding/encoders.ts'
import { announceVideoJobs } from '#api/modules/media/video-jobs.queries.ts'
import { openWorkFolder } from '#api/modules/media/work-folders.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { VideoId, VideoJobId } from '#contract/ids.ts'
import { bundledProgram } from '#tests/support/bundled-program.ts'
import { createFilm, openMedia } from '#tests/support/media.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { makeFilm } from '#tests/support/video-files.ts'
import { filesOf, videosOf } from '#tests/support/video-jobs.ts'
import type { KillPoint } from '#tests/support/video-worker-child.ts'

// Its workers take any job announced in the database, so other test files use another one.
const database = await ownDatabase()
const child = await bundledProgram('tests/support/video-worker-child.ts')
const timeout = 90_000
const film = makeFilm('lecture.mp4', { size: '160x90' })

/** A worker in a process of its own, which kills itself at the given point. */
const startWorker = (options: {
  databaseUrl: string
  jobsDatabaseUrl?: string | undefined
  secret: string
  dataFolder: string
  killAt: KillPoint
}) => {
  const running = spawn(process.execPath, [child, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ready = new Promise<void>((resolve) => running.stdout.once('data', () => resolve()))
  const ended = new Promise<string | null>((resolve) => running.once('close', (_code, signal) => resolve(signal)))
  return { ready, ended, kill: () => running.kill('SIGKILL') }
}

/** The ids of the ffmpeg processes that work below a folder. */
const encodersBelow = (folder: string) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        const commandLine = readFileSync(`/proc/${id}/cmdline`, 'utf8')
        return commandLine.startsWith('ffmpeg') || commandLine.includes('/ffmpeg')
          ? commandLine.includes(folder)
          : false
      } catch {
        return false
      }
    })

test.for(['taken', 'encoding', 'storing', 'before the switch', 'after the switch'] as const)(
  'a worker killed at “%s” leaves the old stream playing, and the next one encodes and removes all leftovers',
  { timeout },
  async (killAt) => {
    const api = createTestApi({ database })
    const media = await openMedia(api)
    const tenant = await createTenant(api)
    const tenantVideos = await videosOf(api, tenant)
    const product = await createFilm(tenant, { access: 'FREE', price: null })
    await media.write(`${product.video.asset}/master.m3u8`, '#EXTM3U')
    const before = await tenant.guest.playback.startPlayback({ id: product.id })

    const id = await tenantVideos.add({ productId: product.id, path: film })
    const { dataFolder } = api.deps
    const worker = startWorker({
      databaseUrl: database.url,
      jobsDatabaseUrl: database.jobsUrl,
      secret: api.deps.secret,
      dataFolder,
      killAt,
    })
    void worker.ready.then(() => tenant.within((db) => announceVideoJobs(db, tenant.id)))
    expect(await worker.ended).toBe('SIGKILL')

    const switched = killAt === 'after the switch'
    expect((await tenantVideos.job(id)).status).toBe(switched ? 'READY' : 'RUNNING')
    expect((await media.get(before.manifestUrl)).status).toBe(200)
    const during = await tenant.guest.playback.startPlayback({ id: product.id })
    expect(during.durationSeconds).toBeCloseTo(switched ? 2 : 100, 0)
    await expect.poll(() => encodersBelow(dataFolder), { timeout: 20_000 }).toEqual([])

    // A worker on the same machine detects at once that the other has ended.
    await using _next = await startEncoders(api.deps)
    if (killAt === 'taken') {
      // The worker had no folder yet, so only its missing heartbeat shows that it ended.
      await api.owner.execute(`UPDATE video_jobs SET seen_at = now() - interval '31 seconds' WHERE id = '${id}'`)
      await cleanUpVideos(api.deps, tenantVideos.ctx.customer as never)
    }
    await expect.poll(async () => (await tenantVideos.job(id)).status, { timeout: 30_000 }).toBe('READY')
    const after = await tenant.guest.playback.startPlayback({ id: product.id })
    expect(after.durationSeconds).toBeCloseTo(2, 0)
    for (const path of [before.manifestUrl, after.manifestUrl]) expect((await media.get(path)).status).toBe(200)

    await removeOldVideoFiles(api.deps, tenantVideos.ctx.customer as never)
    // The worker removes its folder and the source after the transaction that makes the job READY.
    const leftovers = () => [...filesOf(api.deps).work, ...filesOf(api.deps).sources]
    await expect.poll(leftovers, { timeout: 20_000 }).toEqual([])
    const { videoId } = await tenantVideos.job(id)
    const old = product.video.asset.replace('video/', '')
    expect(filesOf(api.deps).streams).toEqual([old, videoId, `${videoId}-preview`].sort())
    expect(await tenantVideos.streams()).toHaveLength(2)
  },
)

test('a worker that starts keeps the folder in which another process cuts a preview, and removes abandoned ones', {
  timeout,
}, async () => {
  const api = createTestApi({ database })
  const tenant = await createTenant(api)
  /** A folder without a job, with the process that opened it and how long ago in seconds. */
  const open = async (process: number, age: number) => {
    const attempt = { id: newId<VideoJobId>(), attempts: 0, videoId: newId<VideoId>() }
    const { folder } = await openWorkFolder(api.deps.dataFolder, tenant.id, attempt)
    const file = join(folder, 'owner.json')
    const owner = { ...JSON.parse(readFileSync(file, 'utf8')), process, openedAt: Date.now() - age * 1000 }
    writeFileSync(file, JSON.stringify(owner))
    return attempt.videoId
  }
  const ended = spawn(process.execPath, ['--version'])
  await new Promise((resolve) => ended.once('close', resolve))
  const cutting = await open(process.ppid, 60)
  await open(process.ppid, 3600)
  await open(ended.pid ?? 0, 60)
  await using _worker = await startEncoders(api.deps)
  expect(filesOf(api.deps).work).toEqual([`${cutting}/owner.json`])
})
