import { StartupError } from '#api/platform/log.ts'

/** A terminal's Ctrl-C may arrive twice, from the terminal and from npm; only a later one is meant as a second. */
const sameKeystroke = 1000

/**
 * Runs a program until SIGINT or SIGTERM, then closes its resources. The first Ctrl-C ends it cleanly, another one at once. What
 * the operator can put right is said in one sentence; a surprise keeps its stack.
 */
export const runUntilStopped = async (start: () => Promise<AsyncDisposable>) => {
  const stopped = Promise.withResolvers<void>()
  let stoppedAt: number | undefined
  const stop = () => {
    stoppedAt ??= Date.now()
    if (Date.now() - stoppedAt > sameKeystroke) process.exit(130)
    stopped.resolve()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  try {
    await using _running = await start()
    await stopped.promise
  } catch (error) {
    console.error(error instanceof StartupError ? error.message : error)
    process.exit(1)
  }
  process.exit(0)
}
