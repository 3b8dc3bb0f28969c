/**
 * Works through a list, several at a time. The first failure ends it, once nothing is under way any more: what is left is not begun,
 * and that failure is thrown.
 */
export const eachOf = async <Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
) => {
  const waiting = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  const failures: unknown[] = []
  const worker = async () => {
    try {
      while (failures.length === 0) {
        const next = await waiting.next()
        if (next.done) return
        await work(next.value)
      }
    } catch (error) {
      failures.push(error)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  if (failures.length === 0) return
  await waiting.return?.()
  throw failures[0]
}
