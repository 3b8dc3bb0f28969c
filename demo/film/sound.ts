import {
  type Air,
  bass,
  blow,
  brush,
  hall,
  type Instrument,
  kick,
  type Mix,
  pad,
  SAMPLE_RATE,
  silence,
} from './instruments.ts'
import { seeded } from './scenes/random.ts'

/** A piece of music as data; `perform` plays it. */
export interface Score {
  readonly beatsPerMinute: number
  readonly beatsPerChord: number
  /** The notes of each chord from low to high, as 'A2 E3 C4'; repeated until the film ends. */
  readonly chords: readonly string[]
  readonly pad: number
  readonly bass: number
  readonly melody: Melody
  /** Which eighths of a bar the drum and the cymbal sound on, as 'x...x...'. */
  readonly drums?: { readonly kick: string; readonly brush: string; readonly gain: number }
  readonly air?: { readonly kind: Air; readonly gain: number }
  /** How much of the hall is heard, 0 to 1. */
  readonly hall: number
}

interface Melody {
  readonly instrument: Instrument
  readonly gain: number
  /** Octaves above the written chord. */
  readonly octave: number
  /**
   * For each eighth, a step of the chord (0 is its lowest note, past the top goes on an octave up)
   * or '.'.
   */
  readonly steps: string
}

/** Plays a score for so many seconds, with a short fade at both ends. */
export function perform(score: Score, seconds: number): Mix {
  const mix = silence(seconds)
  const random = seeded(score.beatsPerMinute)
  const beat = 60 / score.beatsPerMinute
  const chordSeconds = beat * score.beatsPerChord
  const steps = score.melody.steps.split(' ')

  for (let count = 0; count * chordSeconds < seconds; count++) {
    const chord = notes(score.chords[count % score.chords.length]!)
    const start = count * chordSeconds
    for (const [index, pitch] of chord.entries())
      pad(mix, { start, seconds: chordSeconds, pitch, gain: score.pad, pan: index % 2 ? 0.5 : -0.5 }, random)
    for (const [at, length] of [
      [0, 0.62],
      [0.75, 0.22],
    ] as const)
      bass(
        mix,
        {
          start: start + at * chordSeconds,
          seconds: length * chordSeconds,
          pitch: chord[0]!,
          gain: score.bass,
          pan: 0,
        },
        random,
      )
  }

  const eighth = beat / 2
  for (let count = 0; count * eighth < seconds - 1; count++) {
    const start = count * eighth
    const step = steps[count % steps.length]!
    if (step !== '.') {
      const chord = notes(score.chords[Math.floor(start / chordSeconds + 1e-6) % score.chords.length]!)
      const degree = Number(step)
      const octave = score.melody.octave + Math.floor(degree / chord.length)
      const accent = count % 4 === 0 ? 1 : 0.78 + 0.12 * random()
      score.melody.instrument(
        mix,
        {
          start,
          seconds: beat,
          pitch: chord[degree % chord.length]! * 2 ** octave,
          gain: score.melody.gain * accent,
          pan: 0.6 * Math.sin(count * 1.7),
        },
        random,
      )
    }
    if (score.drums) {
      const { kick: drum, brush: cymbal, gain } = score.drums
      if (drum[count % drum.length] === 'x') kick(mix, { start, seconds: beat, pitch: 46, gain, pan: 0 }, random)
      if (cymbal[count % cymbal.length] === 'x')
        brush(mix, { start, seconds: beat, pitch: 0, gain: gain * 0.3, pan: 0.25 }, random)
    }
  }

  hall(mix, score.hall)
  if (score.air) blow(mix, score.air.kind, score.air.gain, random)
  fade(mix, 0.4, 1.8)
  return mix
}

const SEMITONES: Readonly<Record<string, number>> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 }

/** 'A4 C#5 Eb5' as frequencies; A4 is 440 hertz. Throws on a name that is no note. */
function notes(chord: string): number[] {
  return chord.split(' ').map((name) => {
    const parts = /^([A-G])([#b]?)(\d)$/.exec(name)
    if (!parts) throw new Error(`Not a note: ${name}`)
    const [, letter, sign, octave] = parts
    const semitone = SEMITONES[letter!]! + (sign === '#' ? 1 : sign === 'b' ? -1 : 0) + 12 * (Number(octave) - 4)
    return 440 * 2 ** ((semitone - 9) / 12)
  })
}

function fade(mix: Mix, inwards: number, outwards: number): void {
  for (const channel of [mix.left, mix.right]) {
    for (let index = 0; index < channel.length; index++) {
      const opening = index / (inwards * SAMPLE_RATE)
      const closing = (channel.length - index) / (outwards * SAMPLE_RATE)
      channel[index]! *= Math.min(1, opening, closing)
    }
  }
}

/** A mix as a WAV file of 16 bits; its loudest sample is put at -1 dB. */
export function wav(mix: Mix): Buffer {
  let peak = 1e-9
  for (const channel of [mix.left, mix.right]) for (const sample of channel) peak = Math.max(peak, Math.abs(sample))
  const scale = (0.89 * 32767) / peak
  const bytes = mix.left.length * 4
  const file = Buffer.alloc(44 + bytes)
  file.write('RIFF', 0)
  file.writeUInt32LE(36 + bytes, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(2, 22)
  file.writeUInt32LE(SAMPLE_RATE, 24)
  file.writeUInt32LE(SAMPLE_RATE * 4, 28)
  file.writeUInt16LE(4, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36)
  file.writeUInt32LE(bytes, 40)
  for (let index = 0; index < mix.left.length; index++) {
    file.writeInt16LE(Math.round(mix.left[index]! * scale), 44 + index * 4)
    file.writeInt16LE(Math.round(mix.right[index]! * scale), 46 + index * 4)
  }
  return file
}
