import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eachOf } from '#api/platform/storage/copy-media.ts'

const count = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)

test('items are processed once each, a limited number at a time', async () => {
  const done: number[] = []
  let [now, max] = [0, 0]
  const work = async (item: number) => {
    max = Math.max(max, ++now)
    for (let waited = 0; waited < item % 5; waited++) await turn()
    done.push(item)
    now--
  }
  await eachOf(count(0, 100), 6, work)
  expect([done.toSorted((a, b) => a - b), max, now]).toEqual([count(0, 100), 6, 0])
  const later = async function* () {
    for (const item of count(100, 130)) {
      await turn()
      yield item
    }
  }
  await eachOf(later(), 6, work)
  expect(done.toSorted((a, b) => a - b)).toEqual(count(0, 130))
  await eachOf([], 6, work)
  expect(done).toHaveLength(130)
})

test('the first failure is thrown once the work in progress has ended, and closes the list', async () => {
  const [begun, ended]: [number[], number[]] = [[], []]
  let closed = false
  const list = async function* () {
    try {
      yield* count(0, 100)
    } finally {
      closed = true
    }
  }
  const failing = eachOf(list(), 4, async (item) => {
    begun.push(item)
    await turn()
    if (item === 5) throw new Error('the fifth')
    if (item === 6) throw new Error('the sixth')
    for (let waited = 0; waited < 20; waited++) await turn()
    ended.push(item)
  })
  await expect(failing).rejects.toThrow('the fifth')
  expect(begun.length).toBeLessThan(15)
  expect(ended).toEqual(begun.filter((item) => item !== 5 && item !== 6))
  expect(closed).toBe(true)
})

test('an error of the list is thrown once the work in progress has ended', async () => {
  const ended: number[] = []
  const list = function* () {
    yield* [1, 2, 3]
    throw new Error('no more of the list')
  }
  const failing = eachOf(list(), 2, async (item) => {
    await turn()
    ended.push(item)
  })
  await expect(failing).rejects.toThrow('no more of the list')
  expect(ended).toEqual([1, 2, 3])
})
