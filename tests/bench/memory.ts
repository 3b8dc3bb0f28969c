/**
 * Renders many uncached pages of several stores and languages, and prints what the server holds
 * after each tenth. By itself: `npm run node -- tests/bench/memory.ts --renders 20000`.
 */
import { record } from './figures.ts'
import { type BenchStore, option, startStore } from './store.ts'

const atOnce = 8
const asks = [
  ['aurora', '/'],
  ['aurora', '/products?sort=createdAt%2CDESC'],
  ['hangang', '/products'],
  ['aurora', '/faq'],
  ['hangang', '/notices'],
  ['studio', '/'],
  ['aurora', '/no-such-page'],
  ['salon', '/login'],
] as const
const languages = ['en', 'ko', 'ja', 'ar']

/**
 * Renders `renders` pages and prints the memory as a table; heap is measured after a collection.
 */
export async function watchMemory(store: BenchStore, renders: number): Promise<void> {
  const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1)
  const rows = []
  let drawn = 0
  const step = Math.ceil(renders / 10)
  for (let until = step; until <= renders; until += step) {
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (drawn < until) {
          const [tenant, path] = asks[drawn % asks.length]!
          const language = languages[Math.floor(drawn / asks.length) % languages.length]!
          drawn++
          await store.get(tenant, path, {
            accept: 'text/html',
            'accept-language': language,
            cookie: 'guest=of-the-bench',
          })
        }
      }),
    )
    const { heap, rss } = await store.read('memory')
    rows.push({ 'pages drawn': drawn, 'heap MB': megabytes(heap), 'RSS MB': megabytes(rss) })
  }
  record(`memory after ${renders} renders`, (await store.read('memory')).rss / 1_000_000, 'MB')
  console.log('\nMemory of the server')
  console.table(rows)
}

if (import.meta.main) {
  using store = await startStore()
  await watchMemory(store, option('renders', 20_000))
}
