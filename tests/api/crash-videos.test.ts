import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, inject, test } from 'vitest'
import { startEncoders } from '#api/modules/media/encoding/encoders.ts'
import { cleanUpVideos, removeOldVideoFiles } from '#api/modules/media/encoding/recover.ts'
import { announceVideoJobs } from '#api/modules/media/video-jobs.queries.ts'
import { createFilm, openMedia } from '#tests/support/media.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { makeFilm } from '#tests/support/video-files.ts'
import { filesOf, videosOf } from '#tests/support/video-jobs.ts'
import type { DeathAt } from '#tests/support/video-worker-child.ts'

const child = fileURLToPath(new URL('../support/video-worker-child.ts', import.meta.url))
const patience = 90_000
const film = makeFilm('lecture.mp4', { size: '160x90' })

/** A worker in a process of its own; it dies by its own hand where it is told to. */
const work = (orders: { databaseUrl: string; secret: string; dataFolder: string; deathAt: DeathAt }) => {
  const running = spawn(process.execPath, [child, JSON.stringify(orders)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ready = new Promise<void>((resolve) => running.stdout.once('data', () => resolve()))
  const ended = new Promise<string | null>((resolve) => running.once('close', (_code, signal) => resolve(signal)))
  return { ready, ended, kill: () => running.kill('SIGKILL') }
}

/** Encoders that work below a folder, whoever started them. */
const encodersBelow = (folder: string) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        const words = readFileSync(`/proc/${id}/cmdline`, 'utf8')
        return words.startsWith('ffmpeg') || words.includes('/ffmpeg') ? words.includes(folder) : false
      } catch {
        return false
      }
    })

test.for(['taken', 'encoding', 'storing', 'before the switch', 'after the switch'] as const)(
  'a worker killed %s leaves the old stream playing, and the next one makes the new stream and takes every leftover away',
  { timeout: patience },
  async (deathAt) => {
    const api = createTestApi()
    const media = await openMedia(api)
    const tenant = await createTenant(api)
    const given = await videosOf(api, tenant)
    const product = await createFilm(tenant, { access: 'FREE', price: null })
    await media.write(`${product.video.asset}/master.m3u8`, '#EXTM3U')
    const before = await tenant.guest.playback.startPlayback({ id: product.id })

    const id = await given.given({ productId: product.id, path: film })
    const { dataFolder } = api.deps
    const worker = work({ databaseUrl: inject('database').url, secret: api.deps.secret, dataFolder, deathAt })
    void worker.ready.then(() => tenant.within((db) => announceVideoJobs(db, tenant.id)))
    expect(await worker.ended).toBe('SIGKILL')

    const switched = deathAt === 'after the switch'
    expect((await given.job(id)).status).toBe(switched ? 'READY' : 'RUNNING')
    expect((await media.get(before.manifestUrl)).status).toBe(200)
    const during = await tenant.guest.playback.startPlayback({ id: product.id })
    expect(during.durationSeconds).toBeCloseTo(switched ? 2 : 100, 0)
    await expect.poll(() => encodersBelow(dataFolder), { timeout: 10_000 }).toEqual([])

    // A worker of the same machine needs no time to see that the other is gone.
    await using _next = await startEncoders(api.deps)
    if (deathAt === 'taken') {
      // It had not even a folder by which to be known: it is missed by its silence.
      await api.owner.execute(`UPDATE video_jobs SET seen_at = now() - interval '31 seconds' WHERE id = '${id}'`)
      await cleanUpVideos(api.deps, given.env.customer as never)
    }
    await expect.poll(async () => (await given.job(id)).status, { timeout: 30_000 }).toBe('READY')
    const after = await tenant.guest.playback.startPlayback({ id: product.id })
    expect(after.durationSeconds).toBeCloseTo(2, 0)
    for (const path of [before.manifestUrl, after.manifestUrl]) expect((await media.get(path)).status).toBe(200)

    await removeOldVideoFiles(api.deps, given.env.customer as never)
    const { work: underWay, sources, streams } = filesOf(api.deps)
    expect({ underWay, sources }).toEqual({ underWay: [], sources: [] })
    const { videoId } = await given.job(id)
    const old = product.video.asset.replace('video/', '')
    expect(streams).toEqual([old, videoId, `${videoId}-preview`].sort())
    expect(await given.streams()).toHaveLength(2)
  },
)
