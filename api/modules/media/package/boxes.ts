import { firstOf } from '#api/platform/elements.ts'

// Reads and writes the MP4 boxes that fragments need (ISO/IEC 14496-12).

/** Returns the content of the first box at a path such as moof, traf, tfdt, or undefined. */
function findBox(bytes: Buffer, ...path: string[]): Buffer | undefined {
  let content = bytes
  for (const name of path) {
    const box = boxesIn(content).find(({ type }) => type === name)
    if (!box) return undefined
    content = box.content
  }
  return content
}

/**
 * Like `findBox`.
 *
 * @throws if the box does not exist.
 */
export function boxAt(bytes: Buffer, ...path: string[]): Buffer {
  const box = findBox(bytes, ...path)
  if (!box) throw new Error(`There is no ${path.join('/')} box`)
  return box
}

interface Box {
  type: string
  /** The offset of the box. */
  at: number
  bytes: number
  content: Buffer
}

/** Returns the boxes at the top level of MP4 data. */
export function boxesIn(bytes: Buffer): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    const { size, header, type } = boxHeader(bytes.subarray(at))
    boxes.push({ type, at, bytes: size, content: bytes.subarray(at + header, at + size) })
    at += size
  }
  return boxes
}

/** Reads a box header from at most 16 bytes. */
export function boxHeader(bytes: Buffer): { size: number; header: number; type: string } {
  const short = bytes.readUInt32BE(0)
  const type = bytes.toString('latin1', 4, 8)
  const size = short === 1 ? Number(bytes.readBigUInt64BE(8)) : short
  const header = short === 1 ? 16 : 8
  if (size < header) throw new Error(`A ${type} box has an invalid size of ${size} bytes`)
  return { size, header, type }
}

/** Returns an MP4 box with its header. */
export function box(type: string, ...parts: Buffer[]): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(8 + parts.reduce((sum, part) => sum + part.length, 0), 0)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, ...parts])
}

/** Returns numbers as 32-bit integers, big-endian. */
export const uint32 = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * at)
  return bytes
}

/** Returns a number as a 64-bit integer, big-endian. */
export const uint64 = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

/** A video frame or an audio frame of a fragment. Times are in units of the track's timescale. */
export interface Sample {
  /** The decoding time. */
  time: number
  duration: number
  /** The composition offset: presentation time minus decoding time. */
  shownAfter: number
  /** True for a key frame. */
  sync: boolean
  /** The byte offset from the start of the moof box. */
  at: number
  bytes: number
}

const notSync = 0x10000

/** Returns the samples of a moof box that has one track. */
export function samplesOf(moof: Buffer): Sample[] {
  const tfhd = boxAt(moof, 'traf', 'tfhd')
  const tfdt = boxAt(moof, 'traf', 'tfdt')
  const defaults = fragmentDefaults(tfhd)
  let time = tfdt[0] === 1 ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4)
  const samples: Sample[] = []
  for (const { type, content: trun } of boxesIn(boxAt(moof, 'traf'))) {
    if (type !== 'trun') continue
    const flags = trun.readUInt32BE(0) & 0xffffff
    const count = trun.readUInt32BE(4)
    let cursor = 8
    const next = () => {
      cursor += 4
      return trun.readUInt32BE(cursor - 4)
    }
    const last = samples.at(-1)
    let at = flags & 0x1 ? next() | 0 : last ? last.at + last.bytes : 0
    const firstFlags = flags & 0x4 ? next() : undefined
    for (let row = 0; row < count; row++) {
      const duration = flags & 0x100 ? next() : required(defaults.duration, 'duration')
      const bytes = flags & 0x200 ? next() : required(defaults.bytes, 'size')
      const ownFlags = flags & 0x400 ? next() : undefined
      const shownAfter = flags & 0x800 ? next() | 0 : 0
      const sampleFlags = ownFlags ?? (row === 0 && firstFlags !== undefined ? firstFlags : (defaults.flags ?? 0))
      samples.push({ time, duration, shownAfter, sync: (sampleFlags & notSync) === 0, at, bytes })
      time += duration
      at += bytes
    }
  }
  return samples
}

function fragmentDefaults(tfhd: Buffer) {
  const flags = tfhd.readUInt32BE(0) & 0xffffff
  let at = 8 + (flags & 0x1 ? 8 : 0) + (flags & 0x2 ? 4 : 0)
  const next = (flag: number) => {
    if (!(flags & flag)) return undefined
    at += 4
    return tfhd.readUInt32BE(at - 4)
  }
  return { duration: next(0x8), bytes: next(0x10), flags: next(0x20) }
}

function required(value: number | undefined, what: string): number {
  if (value === undefined) throw new Error(`The fragment states no ${what} of its samples`)
  return value
}

const syncFlags = 0x02000000
const dependentFlags = 0x01010000

/**
 * Builds a fragment (moof and mdat). Its samples are either all key frames or none. `at` is
 * ignored.
 */
export function fragment(sequence: number, time: number, samples: readonly Sample[], data: readonly Buffer[]): Buffer {
  const first = firstOf(samples)
  const uniform = samples.every(({ duration }) => duration === first.duration)
  const shifted = samples.some(({ shownAfter }) => shownAfter !== 0)
  const rows = samples.flatMap(({ duration, bytes, shownAfter }) => [
    ...(uniform ? [] : [duration]),
    bytes,
    ...(shifted ? [shownAfter] : []),
  ])
  const moof = (offset: number) =>
    box(
      'moof',
      box('mfhd', uint32(0, sequence)),
      box(
        'traf',
        box(
          'tfhd',
          uint32(0x020020 | (uniform ? 0x8 : 0), 1, ...(uniform ? [first.duration] : [])),
          uint32(first.sync ? syncFlags : dependentFlags),
        ),
        box('tfdt', uint32(0x01000000), uint64(time)),
        box(
          'trun',
          uint32(0x01000201 | (uniform ? 0 : 0x100) | (shifted ? 0x800 : 0), samples.length, offset, ...rows),
        ),
      ),
    )
  return Buffer.concat([moof(moof(0).length + 8), box('mdat', ...data)])
}

/** Returns the timescale, in units per second, from the track's media header. */
export function timescaleOf(init: Buffer): number {
  const mdhd = boxAt(init, 'moov', 'trak', 'mdia', 'mdhd')
  return mdhd.readUInt32BE(mdhd[0] === 1 ? 20 : 12)
}

/** Returns the codec string of RFC 6381, such as avc1.64001f or mp4a.40.2. */
export function codecOf(init: Buffer): string {
  const stsd = boxAt(init, 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd').subarray(8)
  const [entry] = boxesIn(stsd)
  if (entry?.type === 'avc1') return `avc1.${boxAt(entry.content.subarray(78), 'avcC').toString('hex', 1, 4)}`
  if (entry?.type === 'mp4a') return 'mp4a.40.2'
  throw new Error(`A track of ${entry?.type} is not supported`)
}
