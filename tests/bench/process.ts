/**
 * Measures the process of the service: how long it takes to start, and its memory when idle and
 * with 50 connections. By itself: `npm run node -- tests/bench/process.ts`.
 */
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { median, printFigures, record } from './figures.ts'
import { type BenchStore, createDataFolder, memberToken, option, startStore } from './store.ts'

const connections = 50
/** Seconds for which each page is requested. */
const loadSeconds = 5

/** Requests pages of members and of guests, and returns the most memory meanwhile, in MB. */
const peakOf = async (store: BenchStore): Promise<number> => {
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, store.memory())
  }, 100)
  for (const cookie of [`token=${await memberToken(store)}`, 'guest=of-the-bench', ''])
    for (const path of ['/', '/products', '/products/the-last-light'])
      await autocannon({
        url: `http://127.0.0.1:${store.port}${path}`,
        connections,
        duration: loadSeconds,
        headers: { host: `aurora.localhost:${store.port}`, 'accept-encoding': 'br', cookie },
      })
  clearInterval(timer)
  return peak
}

/** Starts the service `rounds` times on the same database, as `npm start` does. */
export async function measureProcess(rounds: number): Promise<void> {
  const folder = createDataFolder()
  try {
    const demo = await startStore({}, { folder })
    await demo.stop()
    const starts: number[] = []
    const cpuTimes: number[] = []
    for (let round = 0; round < rounds; round++) {
      const store = await startStore({}, { folder, program: 'service' })
      starts.push(store.startedIn)
      cpuTimes.push(store.cpu())
      if (round === rounds - 1) {
        await sleep(3_000)
        record('memory when idle (PSS)', store.memory(), 'MB', { atMost: 130 })
        record(`most memory with ${connections} connections (PSS)`, await peakOf(store), 'MB', { atMost: 350 })
      }
      await store.stop()
    }
    record('start to first page, with its database', median(starts) / 1000, 's', { atMost: 1 })
    record('start to first page: CPU', median(cpuTimes) / 1000, 's')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  await measureProcess(option('rounds', 5))
  printFigures()
}
