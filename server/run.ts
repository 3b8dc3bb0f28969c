import { OperatorError } from '#api/platform/log/log.ts'

/**
 * The terminal and npm may both deliver one Ctrl-C. Only a later one counts as a second.
 * Milliseconds.
 */
const sameKeystroke = 1000

/**
 * Runs a program until SIGINT or SIGTERM, then closes its resources. The first Ctrl-C ends it
 * cleanly, the second at once. Of an `OperatorError` only the message is printed, of other errors
 * also the stack.
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
  // The supervisor was killed.
  process.once('disconnect', () => stopped.resolve())
  try {
    await using _running = await start()
    await stopped.promise
  } catch (error) {
    console.error(error instanceof OperatorError ? error.message : error)
    process.exit(1)
  }
  process.exit(0)
}
