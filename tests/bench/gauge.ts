/**
 * Loaded into the store before itself: tells the bench how many statements it sent to the database,
 * and what it holds in memory.
 */
import { Socket } from 'node:net'

export interface Reading {
  statements: number
  /** After two collections, bytes, with the memory outside of the heap that objects hold. */
  heap: number
  rss: number
}

let statements = 0
/** Connections to the database, whose first message names the protocol's version. */
const connections = new WeakSet<Socket>()
const protocolVersion = 196_608

/**
 * Counts the messages that run a statement: simple queries (Q) and executions (E). Counted on the
 * wire, because the built programs hold a driver of their own.
 */
const count = (socket: Socket, chunk: unknown) => {
  if (!Buffer.isBuffer(chunk) || chunk.length < 5) return
  if (!connections.has(socket)) {
    const starts = chunk.length > 8 && chunk.readUInt32BE(0) === chunk.length
    if (starts && chunk.readUInt32BE(4) === protocolVersion) connections.add(socket)
    return
  }
  for (let at = 0; at + 5 <= chunk.length; at += chunk.readUInt32BE(at + 1) + 1) {
    const type = String.fromCharCode(chunk[at] ?? 0)
    if (type === 'Q' || type === 'E') statements++
  }
}

const { write } = Socket.prototype
Socket.prototype.write = function counted(this: Socket, ...args: Parameters<typeof write>) {
  count(this, args[0])
  return write.apply(this, args)
} as typeof write

process.on('message', (kind: 'statements' | 'memory') => {
  // Buffers that the first collection frees count as `external` until the second.
  if (kind === 'memory') for (let time = 0; time < 2; time++) globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  process.send?.({ statements, heap: heapUsed + external, rss } satisfies Reading)
})
