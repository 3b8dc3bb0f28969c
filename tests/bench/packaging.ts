import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { framesPerGop, ladderFor } from '#api/modules/media/package/encoding-plan.ts'
import { packageVideo } from '#api/modules/media/package/package-video.ts'
import { option } from './store.ts'

const film = 'demo/media/video/tide/master.m3u8'
const rate = { numerator: 24, denominator: 1 }
const size = { width: 1280, height: 720 }

/**
 * Compares the packaging of a film of 720p with ffmpeg alone, with the same ladder and settings but
 * without loudness, timeline, posters, preview and playlists. CPU is of all processes together: on
 * a busy machine it is more reliable than elapsed time.
 */
async function watchPackaging(seconds: number, rounds: number): Promise<void> {
  if (spawnSync('ffmpeg', ['-version'], { stdio: 'ignore' }).status !== 0)
    return console.log('\nPackaging: there is no ffmpeg here.')
  const folder = mkdtempSync(join(tmpdir(), 'marquee-packaging-'))
  try {
    const source = join(folder, 'film.mp4')
    // The demo's films are drawn; with grain they are as hard to encode as what a camera takes.
    execFileSync('ffmpeg', [
      ...[
        '-nostdin',
        '-v',
        'error',
        '-i',
        film,
        '-map',
        '0:v:0',
        '-map',
        '0:a:0',
        '-c',
        'copy',
        join(folder, 'loop.mkv'),
      ],
    ])
    execFileSync('ffmpeg', [
      ...['-nostdin', '-v', 'error', '-stream_loop', '-1', '-i', join(folder, 'loop.mkv'), '-t', `${seconds}`],
      ...['-vf', 'noise=alls=8:allf=t', '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '20', '-c:a', 'aac', source],
    ])
    const wholeStream = async () =>
      void (await packageVideo({
        source,
        name: 'film.mp4',
        folder: join(folder, 'film'),
        previewFolder: join(folder, 'preview'),
        postersFolder: join(folder, 'posters'),
        workFolder: join(folder, 'work'),
        options: { captions: [], audio: [], chapters: [] },
        signal: new AbortController().signal,
        onProgress: () => undefined,
      }))
    const [alones, wholes]: [Cost[], Cost[]] = [[], []]
    // By turns, and each pair compared with itself: the machine is faster in one minute than in the
    // next.
    for (let round = 0; round < rounds; round++) {
      alones.push(await measure(async () => void execFileSync('ffmpeg', plain(source, folder), { stdio: 'ignore' })))
      wholes.push(await measure(wholeStream))
      for (const made of ['film', 'preview', 'posters', 'work'])
        rmSync(join(folder, made), { recursive: true, force: true })
    }
    const row = (name: string, costs: readonly Cost[]) => ({
      work: name,
      'CPU s a minute': ((median(costs.map(({ cpu }) => cpu)) / seconds) * 60).toFixed(1),
      'minutes a minute': (seconds / median(costs.map(({ clock }) => clock))).toFixed(2),
    })
    console.log(
      `\nPackaging ${seconds} s of 720p in three rungs, medians of ${rounds}, load ${loadavg()[0]!.toFixed(1)}`,
    )
    console.table([row('ffmpeg alone', alones), row('the whole stream', wholes)])
    const overhead = (of: (cost: Cost) => number) => {
      const parts = wholes.map((whole, round) => (of(whole) / of(alones[round]!) - 1) * 100)
      return `${median(parts).toFixed(1)} % (${Math.min(...parts).toFixed(1)} to ${Math.max(...parts).toFixed(1)})`
    }
    console.log(`overhead, pair by pair: ${overhead(({ cpu }) => cpu)} CPU, ${overhead(({ clock }) => clock)} time`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** ffmpeg alone, with the rungs scaled from one another as we do it. */
function plain(source: string, folder: string): string[] {
  const rungs = ladderFor(size, rate)
  const gop = `${framesPerGop(rate)}`
  const graph = rungs.map(
    ({ width, height }, at) =>
      `[${at === 0 ? '0:v' : `w${at}`}]scale=${width}:${height}:flags=bicubic,format=yuv420p${at < rungs.length - 1 ? `,split=2[v${at}][w${at + 1}]` : `[v${at}]`}`,
  )
  return [
    ...['-nostdin', '-v', 'error', '-y', '-i', source, '-filter_complex', graph.join(';')],
    ...rungs.flatMap(({ name, factor, ceiling }, at) => [
      ...['-map', `[v${at}]`, '-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-crf', `${factor}`],
      ...[
        '-maxrate',
        `${ceiling}k`,
        '-bufsize',
        `${2 * ceiling}k`,
        '-g',
        gop,
        '-keyint_min',
        gop,
        '-sc_threshold',
        '0',
      ],
      ...['-x264-params', 'b-pyramid=none', join(folder, `${name}.mp4`)],
    ]),
    ...['-map', '0:a', '-c:a', 'aac', '-b:a', '128k', join(folder, 'sound.mp4')],
  ]
}

interface Cost {
  cpu: number
  clock: number
}

const median = (values: readonly number[]) => {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
}

async function measure(work: () => Promise<void>): Promise<Cost> {
  const [begun, before] = [performance.now(), cpuSeconds()]
  await work()
  return { cpu: cpuSeconds() - before, clock: (performance.now() - begun) / 1000 }
}

/**
 * User and system time of this process and of all its children that ended, from the kernel's own
 * book, in hundredths.
 */
function cpuSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

await watchPackaging(option('film', 48), option('rounds', 3))
