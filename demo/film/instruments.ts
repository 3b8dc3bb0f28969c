import type { Random } from './scenes/random.ts'

export const SAMPLE_RATE = 48_000

const TURN = Math.PI * 2

/** Two channels of equal length, in samples around zero. */
export interface Mix {
  readonly left: Float32Array
  readonly right: Float32Array
}

interface Note {
  /** Seconds from the start of the mix. */
  readonly start: number
  readonly seconds: number
  /** In hertz. */
  readonly pitch: number
  readonly gain: number
  /** -1 is left, 1 is right. */
  readonly pan: number
}

export type Instrument = (mix: Mix, note: Note, random: Random) => void

export function silence(seconds: number): Mix {
  const samples = Math.round(seconds * SAMPLE_RATE)
  return { left: new Float32Array(samples), right: new Float32Array(samples) }
}

/** Adds a wave, sampled in seconds since the note began, until `seconds` are over or the mix is. */
function add(mix: Mix, note: Note, seconds: number, wave: (since: number, side: -1 | 1) => number): void {
  const first = Math.round(note.start * SAMPLE_RATE)
  const last = Math.min(mix.left.length, first + Math.round(seconds * SAMPLE_RATE))
  const left = note.gain * Math.sqrt((1 - note.pan) / 2)
  const right = note.gain * Math.sqrt((1 + note.pan) / 2)
  for (let index = first; index < last; index++) {
    const since = (index - first) / SAMPLE_RATE
    mix.left[index]! += left * wave(since, -1)
    mix.right[index]! += right * wave(since, 1)
  }
}

/** A choir of slightly detuned tones that fades in, and fades out over the next chord. */
export const pad: Instrument = (mix, note) => {
  const release = 1.4
  const total = note.seconds + release
  add(mix, note, total, (since, side) => {
    const swell = Math.min(1, since / 0.9) * Math.min(1, (total - since) / release)
    const phase = TURN * note.pitch * (1 + side * 0.0016) * since
    const tone =
      Math.sin(phase) + 0.34 * Math.sin(2 * phase + 0.4) + 0.14 * Math.sin(3 * phase) + 0.06 * Math.sin(5 * phase)
    return swell * swell * tone * (0.85 + 0.15 * Math.sin(since * 1.3 + side))
  })
}

/** An electric piano: one sine bending another, brightest when struck. */
export const keys: Instrument = (mix, note) => {
  add(mix, note, note.seconds + 1.6, (since) => {
    const phase = TURN * note.pitch * since
    const body = Math.sin(phase + 1.5 * Math.exp(-since * 4) * Math.sin(phase))
    const tine = 0.18 * Math.exp(-since * 9) * Math.sin(7 * phase)
    return strike(since, note.seconds + 1.6) * Math.exp(-since * 1.7) * (body + tine)
  })
}

/** A small bell, inharmonic and long. */
export const bell: Instrument = (mix, note) => {
  add(mix, note, 3, (since) => {
    const phase = TURN * note.pitch * since
    const tone = Math.sin(phase + 1.1 * Math.exp(-since * 3.2) * Math.sin(phase * 3.51))
    return strike(since, 3) * Math.exp(-since * 2) * (tone + 0.25 * Math.exp(-since * 5) * Math.sin(phase * 2.76))
  })
}

/** A plucked string: noise going round a delay that softens it (Karplus and Strong). */
export const pluck: Instrument = (mix, note, random) => {
  const string = Float32Array.from({ length: Math.round(SAMPLE_RATE / note.pitch) }, () => random() * 2 - 1)
  for (let pass = 0; pass < 2; pass++)
    for (let index = 1; index < string.length; index++) string[index] = (string[index]! + string[index - 1]!) / 2
  let position = 0
  let sample = 0
  add(mix, { ...note, gain: note.gain * 2.2 }, 2.6, (since, side) => {
    if (side === -1) {
      const next = (position + 1) % string.length
      sample = string[position]!
      string[position] = 0.4985 * (sample + string[next]!)
      position = next
    }
    return sample * strike(since, 2.6)
  })
}

export const bass: Instrument = (mix, note) => {
  add(mix, note, note.seconds, (since) => {
    const phase = TURN * note.pitch * since
    const shape = Math.min(1, since / 0.03) * Math.min(1, (note.seconds - since) / 0.12) * Math.exp(-since * 0.5)
    return shape * (Math.sin(phase) + 0.35 * Math.sin(2 * phase) + 0.12 * Math.sin(3 * phase))
  })
}

/** A soft drum; its pitch falls from four times `pitch`. */
export const kick: Instrument = (mix, note) => {
  add(mix, note, 0.4, (since) => {
    const phase = TURN * (note.pitch * since + (note.pitch * 3 * (1 - Math.exp(-since * 30))) / 30)
    return strike(since, 0.4) * Math.exp(-since * 9) * Math.sin(phase)
  })
}

/** A brushed cymbal: noise without its low end. */
export const brush: Instrument = (mix, note, random) => {
  let before = 0
  add(mix, note, 0.14, (since, side) => {
    if (side === 1) return before
    const noise = random() * 2 - 1
    const high = noise - before * 0.5
    before = high * 0.6
    return strike(since, 0.14) * Math.exp(-since * 38) * high
  })
}

/** No click at either end. */
function strike(since: number, total: number): number {
  return Math.min(1, since * 250) * Math.min(1, (total - since) * 20)
}

/** How loud and how bright moving air or water is at a moment, both from 0 to 1. */
export type Air = (seconds: number) => { loudness: number; brightness: number }

export const wind: Air = (seconds) => {
  const gust = 0.5 + 0.3 * Math.sin(seconds * 0.55) + 0.2 * Math.sin(seconds * 1.37 + 2)
  return { loudness: 0.25 + 0.75 * gust, brightness: 0.012 + 0.03 * gust }
}

export const surf: Air = (seconds) => {
  const wave = ((seconds + 1.5) % 6) / 6
  const swell = wave < 0.35 ? (wave / 0.35) ** 2 : ((1 - wave) / 0.65) ** 1.6
  return { loudness: 0.16 + 0.84 * swell, brightness: 0.03 + 0.22 * swell }
}

/** Adds noise shaped by `air` over the whole mix, different in each ear. */
export function blow(mix: Mix, air: Air, gain: number, random: Random): void {
  for (const channel of [mix.left, mix.right]) {
    let low = 0
    let lower = 0
    for (let index = 0; index < channel.length; index++) {
      const { loudness, brightness } = air(index / SAMPLE_RATE)
      low += brightness * (random() * 2 - 1 - low)
      lower += brightness * (low - lower)
      channel[index]! += (gain * loudness * lower) / Math.sqrt(brightness)
    }
  }
}

/**
 * Puts the mix into a hall: four echoes in parallel that feed themselves, then two that blur
 * (Schroeder).
 */
export function hall(mix: Mix, wet: number): void {
  echo(mix.left, wet, [1687, 1931, 2203, 2477])
  echo(mix.right, wet, [1733, 1979, 2137, 2543])
}

function echo(channel: Float32Array, wet: number, delays: readonly number[]): void {
  const sum = new Float32Array(channel.length)
  for (const delay of delays) {
    const line = new Float32Array(delay)
    let soft = 0
    for (let index = 0; index < channel.length; index++) {
      const heard = line[index % delay]!
      soft += 0.45 * (heard - soft)
      line[index % delay] = channel[index]! + soft * 0.83
      sum[index]! += heard / delays.length
    }
  }
  for (const delay of [225, 556]) {
    const line = new Float32Array(delay)
    for (let index = 0; index < sum.length; index++) {
      const heard = line[index % delay]!
      const input = sum[index]!
      line[index % delay] = input + heard * 0.5
      sum[index] = heard - input * 0.5
    }
  }
  for (let index = 0; index < channel.length; index++) channel[index]! += wet * sum[index]!
}
