/**
 * A film of many minutes, played in a browser through a network that is slow, falls silent, cuts
 * connections and goes away; printed is what a person would have noticed. `--seconds 600` how long.
 * Nothing here fails.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { roughProxy } from '#tests/support/rough-proxy.ts'
import { startBrowser } from './browser.ts'
import { option, startStore } from './store.ts'

const seconds = option('seconds', 600)
const rough = {
  bytesPerSecond: 70_000,
  delayMilliseconds: 120,
  cutAfterBytes: 400_000,
  silentOneIn: 15,
  outageEverySeconds: 45,
  outageSeconds: 6,
}

using store = await startStore()
await makeLong('ridgeline', join(store.env.MARQUEE_DATA!, 'media/video/ridgeline'))
await using proxy = await roughProxy(store.port, rough)
await using browser = await startBrowser()
const page = await browser.newPage()
page.on('request', (request) => request.url().endsWith('/master.m3u8') && proxy.begin())
await page.goto(`http://aurora.localhost:${proxy.port}/products/paper-route/watch`)
const video = page.locator('[data-player] video')
const at = () =>
  video.evaluate(
    (element) => [(element as HTMLVideoElement).currentTime, (element as HTMLVideoElement).videoHeight] as const,
  )
while ((await at())[0] < 0.3) await page.waitForTimeout(100)

const begun = performance.now()
const stalls: number[] = []
const heights = new Map<number, number>()
let minutes = 0
let [last, movedAt, stopped] = [(await at())[0], performance.now(), 0]
while (performance.now() - begun < seconds * 1000) {
  await page.waitForTimeout(200)
  const [time, height] = await at()
  const now = performance.now()
  heights.set(height, (heights.get(height) ?? 0) + 1)
  if (time > last) {
    if (now - movedAt > 700) stalls.push((now - movedAt) / 1000)
    movedAt = now
  }
  last = time
  if (Math.floor((now - begun) / 60_000) > minutes)
    console.log(
      `minute ${++minutes}: at ${Math.round(time)} s, ${stalls.length} stalls, the longest ${Math.max(0, ...stalls).toFixed(1)} s`,
    )
  if (await page.locator('[data-player]').getByRole('alert').isVisible()) {
    stopped++
    await page.getByRole('button', { name: /Try again/ }).click()
  }
}
const shown = [...heights]
  .sort(([a], [b]) => a - b)
  .map(([height, times]) => `${height}p ${Math.round((times / [...heights.values()].reduce((a, b) => a + b)) * 100)} %`)
console.table([
  {
    'network, s': Math.round((performance.now() - begun) / 1000),
    'played, s': Math.round(last),
    stalls: stalls.length,
    'stalled, s': Math.round(stalls.reduce((sum, one) => sum + one, 0)),
    'longest, s': Math.round(Math.max(0, ...stalls) * 10) / 10,
    'gave up': stopped,
    pictures: shown.join(', '),
    ...proxy.read(),
  },
])

/** A demo film over and over, by copying: nothing is encoded. */
async function makeLong(film: string, folder: string) {
  const source = join('demo/media/video', film)
  const master = await readFile(join(source, 'master.m3u8'), 'utf8')
  await rm(folder, { recursive: true, force: true })
  for (const name of ['720p', '480p', '240p', 'audio']) {
    await mkdir(join(folder, name), { recursive: true })
    // A playlist is not read twice; one file is.
    const whole = join(folder, name, 'whole.mp4')
    await ffmpeg('-i', join(source, name, 'index.m3u8'), '-c', 'copy', whole)
    await ffmpeg(
      ...['-stream_loop', String(Math.ceil((seconds + 60) / 24)), '-i', whole, '-c', 'copy', '-f', 'hls'],
      ...['-hls_time', '4', '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'],
      ...['-hls_fmp4_init_filename', 'init.mp4', '-hls_segment_filename', join(folder, name, 'seg_%04d.m4s')],
      join(folder, name, 'index.m3u8'),
    )
    await rm(whole)
  }
  await writeFile(join(folder, 'master.m3u8'), master)
}

async function ffmpeg(...options: string[]) {
  const program = process.env.FFMPEG_PATH ?? 'ffmpeg'
  const child = spawn(program, ['-nostdin', '-v', 'error', ...options], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
}
