import { StartupError } from '#api/startup-error.ts'

/**
 * Runs a program until it is told to stop, then closes what it opened. The first Ctrl-C ends it cleanly, the second at once. What the
 * operator can put right is said in one sentence; a surprise keeps its stack.
 */
export const runUntilStopped = async (start: () => Promise<AsyncDisposable>) => {
  const stopped = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(130))
      stopped.resolve()
    })
  }
  try {
    await using _running = await start()
    await stopped.promise
  } catch (error) {
    console.error(error instanceof StartupError ? error.message : error)
    process.exit(1)
  }
  process.exit(0)
}
