import { createCipheriv } from 'node:crypto'
import { box, boxesIn, samplesOf, uint32, uint64 } from '#api/modules/media/package/boxes.ts'

/**
 * Common Encryption (ISO/IEC 23001-7, scheme cenc) of a fragmented H.264 track, as a packager for
 * DRM writes it.
 */

/** W3C's common system id, which every Clear Key player reads. */
const commonSystem = Buffer.from('1077efecc0b24d02ace33c1e52e2fb4b', 'hex')
/** Bytes before the boxes of a video entry in the sample table. */
const entryFields = 78
/** The length (four bytes) and the first byte of a unit stay clear. */
const clearOfUnit = 5

const rewrite = (bytes: Buffer, [name, ...path]: string[], change: (content: Buffer) => Buffer): Buffer =>
  Buffer.concat(
    boxesIn(bytes).map(({ type, content, at, bytes: size }) => {
      if (type !== name) return bytes.subarray(at, at + size)
      return box(type, path.length === 0 ? change(content) : rewrite(content, path, change))
    }),
  )

/** The track's header with entries of type `encv`, which name their key. */
export const encryptInit = (init: Buffer, keyId: Buffer): Buffer => {
  const protection = box(
    'sinf',
    box('frma', Buffer.from('avc1')),
    box('schm', uint32(0), Buffer.from('cenc'), uint32(0x00010000)),
    box('schi', box('tenc', uint32(0), Buffer.from([0, 0, 1, 8]), keyId)),
  )
  const entries = rewrite(init, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd'], (stsd) => {
    const [entry] = boxesIn(stsd.subarray(8))
    if (entry?.type !== 'avc1') throw new Error(`A track of ${entry?.type} is not encrypted here`)
    const { content } = entry
    return Buffer.concat([
      stsd.subarray(0, 8),
      box('encv', content.subarray(0, entryFields), content.subarray(entryFields), protection),
    ])
  })
  const pssh = box('pssh', uint32(0x01000000), commonSystem, uint32(1), keyId, uint32(0))
  return rewrite(entries, ['moov'], (moov) => Buffer.concat([moov, pssh]))
}

/** A segment's pictures, each under a counter of its own; `first` counts the pictures before it. */
export const encryptSegment = (segment: Buffer, key: Buffer, first: number): { bytes: Buffer; pictures: number } => {
  const boxes = boxesIn(segment)
  const moof = boxes.find(({ type }) => type === 'moof')!
  const bytes = Buffer.from(segment)
  const samples = samplesOf(moof.content)
  const rows = samples.map((sample, index) => {
    const iv = uint64(first + index + 1)
    const start = moof.at + sample.at
    return Buffer.concat([iv, encryptPicture(bytes.subarray(start, start + sample.bytes), key, iv)])
  })
  const senc = box('senc', uint32(2, rows.length), ...rows)
  const saiz = box('saiz', uint32(0), Buffer.from([0]), uint32(rows.length), Buffer.from(rows.map((row) => row.length)))
  const saio = (offset: number) => box('saio', uint32(0, 1, offset))
  const more = saiz.length + saio(0).length + senc.length
  const written = rewrite(box('moof', moof.content), ['moof', 'traf'], (traf) =>
    Buffer.concat([
      rewrite(traf, ['trun'], (trun) => {
        const moved = Buffer.from(trun)
        moved.writeInt32BE(trun.readInt32BE(8) + more, 8)
        return moved
      }),
      senc,
      saiz,
      saio(moof.bytes + 16),
    ]),
  )
  const parts = boxes
    // The index has the lengths before encryption.
    .filter(({ type }) => type !== 'sidx')
    .map((one) => (one === moof ? written : bytes.subarray(one.at, one.at + one.bytes)))
  return { bytes: Buffer.concat(parts), pictures: samples.length }
}

/** Encrypts in place; answers which bytes stayed clear: the table of its parts. */
const encryptPicture = (picture: Buffer, key: Buffer, iv: Buffer): Buffer => {
  const cipher = createCipheriv('aes-128-ctr', key, Buffer.concat([iv, Buffer.alloc(8)]))
  const table: Buffer[] = []
  for (let at = 0; at < picture.length; ) {
    const bytes = 4 + picture.readUInt32BE(at)
    const clear = Math.min(bytes, clearOfUnit)
    const hidden = picture.subarray(at + clear, at + bytes)
    cipher.update(hidden).copy(hidden)
    const row = Buffer.alloc(6)
    row.writeUInt16BE(clear, 0)
    row.writeUInt32BE(bytes - clear, 2)
    table.push(row)
    at += bytes
  }
  const count = Buffer.alloc(2)
  count.writeUInt16BE(table.length)
  return Buffer.concat([count, ...table])
}
