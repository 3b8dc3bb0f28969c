import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from 'playwright/test'
import { packageVideo } from '#api/modules/media/package/package-video.ts'
import { contentTypeOf } from '#api/platform/storage/storage.ts'

/**
 * A stream made of an operator's file plays in players that are not ours: the strictest one known,
 * and the most widespread.
 */

// One worker runs both tests, so that it makes the stream once.
test.describe.configure({ mode: 'default' })

let folder: string
let origin: string
const players = {
  '/shaka.js': 'node_modules/shaka-player/dist/shaka-player.compiled.js',
  '/hls.js': 'node_modules/hls.js/dist/hls.min.js',
}
const server = createServer(async (request, response) => {
  const path = (request.url ?? '/').split('?')[0]!
  if (path === '/')
    return void response.setHeader('content-type', 'text/html').end('<!doctype html><video muted></video>')
  const file = path in players ? players[path as keyof typeof players] : join(folder, 'film', path)
  const entry = await stat(file).catch(() => null)
  if (!entry?.isFile()) return void response.writeHead(404).end()
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  const range = { start: Number(from ?? 0), end: to ? Number(to) : entry.size - 1 }
  response.writeHead(from ? 206 : 200, {
    'content-type': path.endsWith('.js') ? 'text/javascript' : contentTypeOf(path),
    'content-length': range.end - range.start + 1,
    ...(from ? { 'content-range': `bytes ${range.start}-${range.end}/${entry.size}` } : {}),
  })
  createReadStream(file, range).pipe(response)
})

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-players-'))
  const [source, captions] = [join(folder, 'film.mkv'), join(folder, 'ko.srt')]
  execFileSync('ffmpeg', [
    ...['-nostdin', '-v', 'error', '-f', 'lavfi', '-t', '7', '-i', 'testsrc2=size=640x480:rate=30000/1001'],
    ...[
      '-f',
      'lavfi',
      '-t',
      '7',
      '-i',
      'sine=440:sample_rate=48000',
      '-f',
      'lavfi',
      '-t',
      '7',
      '-i',
      'sine=880:sample_rate=44100',
    ],
    ...[
      '-map',
      '0',
      '-map',
      '1',
      '-map',
      '2',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'aac',
    ],
    ...['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=kor', source],
  ])
  await writeFile(captions, '1\n00:00:01,000 --> 00:00:05,000\n한강의 밤\n')
  await packageVideo({
    source,
    name: 'film.mkv',
    folder: join(folder, 'film'),
    previewFolder: join(folder, 'preview'),
    postersFolder: join(folder, 'posters'),
    workFolder: join(folder, 'work'),
    options: { captions: [{ language: 'ko', label: '한국어', path: captions }], audio: [], chapters: [] },
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
test.afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Plays from the last second on to the end, and answers what is in the buffer then. */
const playToTheEnd = async (page: Page) => {
  await page.evaluate(async () => {
    const video = document.querySelector('video')!
    await video.play()
  })
  await expect.poll(() => page.evaluate(() => document.querySelector('video')!.currentTime)).toBeGreaterThan(1.5)
  await page.evaluate(() => {
    const video = document.querySelector('video')!
    video.currentTime = 4.5
  })
  await expect.poll(() => page.evaluate(() => document.querySelector('video')!.ended)).toBe(true)
  const media = await page.evaluate(() => {
    const video = document.querySelector('video')!
    const buffered = Array.from({ length: video.buffered.length }, (_, at) => [
      video.buffered.start(at),
      video.buffered.end(at),
    ])
    return { buffered, duration: video.duration, frames: video.getVideoPlaybackQuality().totalVideoFrames }
  })
  expect(media.buffered, 'no hole').toHaveLength(1)
  expect(media.buffered[0]![0]).toBeLessThan(0.05)
  expect(media.duration).toBeGreaterThan(6.9)
  expect(media.duration).toBeLessThan(7.1)
  expect(media.frames).toBeGreaterThan(60)
}

const cuesShown = (page: Page) =>
  page.evaluate(() =>
    Array.from(document.querySelector('video')!.textTracks).flatMap((track) =>
      Array.from(track.cues ?? [], (cue) => [cue.startTime, cue.endTime, (cue as VTTCue).text]),
    ),
  )

test('Shaka Player, the strictest, plays every size and language, and double speed by key frames', async ({ page }) => {
  await page.goto(origin)
  await page.addScriptTag({ url: '/shaka.js' })
  const tracks = await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: the player's own names, on a page of ours.
    const { shaka } = window as any
    shaka.polyfill.installAll()
    const player = new shaka.Player()
    const faults: string[] = []
    Object.assign(window, { player, faults })
    player.addEventListener('error', (event: { detail: unknown }) => faults.push(JSON.stringify(event.detail)))
    await player.attach(document.querySelector('video'))
    await player.load('/master.m3u8')
    const variants = player.getVariantTracks()
    const [text] = player.getTextTracks()
    await player.selectTextTrack(text)
    player.setTextTrackVisibility?.(true)
    return {
      sizes: [...new Set(variants.map(({ height }: { height: number }) => height))].sort(),
      languages: [...new Set(variants.map(({ language }: { language: string }) => language))].sort(),
      captions: text.language,
    }
  })
  expect(tracks).toEqual({ sizes: [240, 480], languages: ['en', 'ko'], captions: 'ko' })
  await playToTheEnd(page)
  await expect.poll(() => cuesShown(page)).toEqual([[1, 5, '한강의 밤']])
  const faults = await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    const { player, faults } = window as any
    const video = document.querySelector('video')!
    video.currentTime = 0
    await video.play()
    player.trickPlay(2, true)
    await new Promise((resolve) => video.addEventListener('timeupdate', () => video.currentTime > 3 && resolve(0)))
    return faults
  })
  expect(faults).toEqual([])
})

test('hls.js plays the stream without a warning', async ({ page }) => {
  await page.goto(origin)
  await page.addScriptTag({ url: '/hls.js' })
  const tracks = await page.evaluate(
    () =>
      new Promise((resolve) => {
        // biome-ignore lint/suspicious/noExplicitAny: the player's own names, on a page of ours.
        const { Hls } = window as any
        const hls = new Hls()
        const faults: string[] = []
        Object.assign(window, { hls, faults })
        hls.on(Hls.Events.ERROR, (_: string, { type, details, reason }: Record<string, string>) =>
          faults.push(`${type} ${details} ${reason}`),
        )
        hls.on(Hls.Events.AUDIO_TRACKS_UPDATED, () =>
          resolve({
            sizes: hls.levels.map(({ height }: { height: number }) => height).sort(),
            languages: hls.audioTracks.map(({ lang }: { lang: string }) => lang).sort(),
            captions: hls.allSubtitleTracks.map(({ lang }: { lang: string }) => lang),
          }),
        )
        hls.loadSource('/master.m3u8')
        hls.attachMedia(document.querySelector('video'))
      }),
  )
  expect(tracks).toEqual({ sizes: [240, 480], languages: ['en', 'ko'], captions: ['ko'] })
  await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    const { hls } = window as any
    await document.querySelector('video')!.play()
    hls.subtitleDisplay = true
    hls.subtitleTrack = 0
  })
  await playToTheEnd(page)
  await expect.poll(() => cuesShown(page)).toEqual([[1, 5, '한강의 밤']])
  const faults = await page.evaluate(() => (window as unknown as { faults: string[] }).faults)
  // A stall depends on the machine. Seeks and nudges over gaps are faults of the stream.
  expect(faults.filter((fault) => !fault.includes('bufferStalledError'))).toEqual([])
})
