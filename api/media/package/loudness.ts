import { inputOptions } from './probe.ts'
import { type Programs, runProgram } from './program.ts'
import { EncoderFailed } from './refusal.ts'

/** In LUFS, as the large streaming services ask for. */
const TARGET = -16
/** What is measured below this is silence or hiss, and stays so. */
const SILENCE = -60
const MOST_GAIN = 24

/** The chain every sound goes through before it is measured or encoded: stereo, without holes, from the film's zero on. */
export const soundChain = 'aresample=48000:async=1000:first_pts=0,aformat=sample_fmts=fltp:channel_layouts=stereo'

interface Sound {
  path: string
  /** The stream's place in its file. */
  index: number
}

/** The filter that brings a sound to the target loudness, from a first pass over it; peaks stay 1.5 dB below the top. */
export async function levelling(
  programs: Programs,
  { path, index }: Sound,
  signal: AbortSignal,
  onSeconds: (seconds: number) => void,
): Promise<string> {
  const { words } = await runProgram(
    programs.ffmpeg,
    [
      ...['-nostdin', '-hide_banner', '-v', 'info', '-progress', 'pipe:3', '-stats_period', '0.5', '-nostats'],
      ...['-vn', '-sn', '-dn', ...inputOptions(path), '-map', `0:${index}`],
      ...['-af', `${soundChain},ebur128=framelog=verbose`, '-f', 'null', '-'],
    ],
    { signal, onProgress: tellSeconds(onSeconds) },
  )
  const measured = [...words.matchAll(/I:\s+(-?[\d.]+|-inf|nan) LUFS/g)].at(-1)?.[1]
  if (measured === undefined) throw new EncoderFailed(`ffmpeg measured no loudness: ${words.slice(-2000)}`)
  const level = Number(measured)
  if (!(level > SILENCE)) return 'anull'
  const gain = Math.min(TARGET - level, MOST_GAIN)
  return `volume=${gain.toFixed(2)}dB,alimiter=limit=0.84:level=false`
}

/** Reads the lines of `-progress`: tells the time that has been reached. */
export const tellSeconds = (tell: (seconds: number) => void) => (line: string) => {
  const found = /^out_time_us=(\d+)/.exec(line)
  if (found) tell(Number(found[1]) / 1_000_000)
}
