import { expect, test } from 'vitest'
import { newId } from '#api/platform/db/columns.ts'
import type { CustomerId } from '#contract/ids.ts'
import { createProductIndexes } from './product-lists.ts'

/** Searches load no index. */
const readNothing = () => Promise.reject(new Error('nothing is read'))
const customer = { id: newId<CustomerId>(), version: 1 }
const found = (count: number) => ({ ordinals: new Uint32Array(count), ranks: new Uint32Array(count) })

test('concurrent requests for a search load it once', async () => {
  const indexes = createProductIndexes(readNothing, 64e6)
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof found>>()
  let loads = 0
  const load = () => {
    loads++
    return promise
  }
  const both = Promise.all([indexes.matches(customer, 'night', load), indexes.matches(customer, 'night', load)])
  resolve(found(3))
  const [first, second] = await both
  expect(first).toBe(second)
  expect(loads).toBe(1)
})

test('a search answers although larger ones take its place in the cache meanwhile', async () => {
  const indexes = createProductIndexes(readNothing, 64e6)
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof found>>()
  const slow = indexes.matches(customer, 'slow', () => promise)
  for (const words of ['a', 'b', 'c']) await indexes.matches(customer, words, async () => found(400_000))
  resolve(found(3))
  expect((await slow).ordinals.length).toBe(3)
})

test('a failed search fails each request that waits for it, and is loaded anew', async () => {
  const indexes = createProductIndexes(readNothing, 64e6)
  const failing = () => Promise.reject(new Error('the database is away'))
  await expect(indexes.matches(customer, 'night', failing)).rejects.toThrow('away')
  expect((await indexes.matches(customer, 'night', async () => found(1))).ordinals.length).toBe(1)
})
