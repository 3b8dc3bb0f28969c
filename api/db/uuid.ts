import { randomBytes } from 'node:crypto'

let lastMillisecond = 0
let sequence = 0

/**
 * A UUIDv7 (RFC 9562): ids sort by the time they were made, and within one process strictly so, because 12 bits count the ids of
 * one millisecond. Brand it at the call: `newId<OrderItemId>()`.
 */
export const newId = <Id extends string = string>(now: number = Date.now()): Id => {
  if (now > lastMillisecond) {
    lastMillisecond = now
    sequence = 0
  } else if (++sequence > 0xfff) {
    lastMillisecond++
    sequence = 0
  }
  const bytes = randomBytes(16)
  bytes.writeUIntBE(lastMillisecond, 0, 6)
  bytes.writeUInt16BE(0x7000 | sequence, 6)
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as Id
}
