/**
 * Loaded into the store before itself: tells the bench how many statements it sent to the database,
 * and what it holds in memory.
 */
import pg from 'pg'

export interface Reading {
  statements: number
  /** After a collection, bytes. */
  heap: number
  rss: number
}

let statements = 0
const { query } = pg.Client.prototype
pg.Client.prototype.query = function counted(this: pg.Client, ...args: Parameters<typeof query>) {
  statements++
  return query.apply(this, args)
} as typeof query

process.on('message', (kind: 'statements' | 'memory') => {
  if (kind === 'memory') globalThis.gc?.()
  const { heapUsed: heap, rss } = process.memoryUsage()
  process.send?.({ statements, heap, rss } satisfies Reading)
})
