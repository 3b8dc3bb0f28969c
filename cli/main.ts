import { CommanderError } from 'commander'
import pg from 'pg'
import { ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import { isDatabaseUnavailable } from '#api/platform/db/client.ts'
import { asError, asSentence, OperatorError } from '#api/platform/log/log.ts'
import { StorageUnavailable } from '#api/platform/storage/storage.ts'
import { createProgram, withPresentName } from './program.ts'

/** Returns the message at the root of an error that others wrap, as a sentence. */
const rootMessage = (error: unknown): string =>
  error instanceof Error && error.cause ? rootMessage(error.cause) : asSentence(asError(error).message)

/** Returns what the database said about a statement that it refused, with its code and place. */
const refusalIn = (error: unknown): string | null => {
  if (error instanceof pg.DatabaseError) {
    const details = [error.detail, error.hint, error.where, error.code && `Code ${error.code}`]
    return [error.message, ...details]
      .map((text) => text && asSentence(text))
      .filter(Boolean)
      .join(' ')
  }
  return error instanceof Error && error.cause ? refusalIn(error.cause) : null
}

/** Returns the sentence for a failure that an operator may meet, else the error with its stack. */
const printed = (error: unknown) => {
  if (error instanceof OperatorError || error instanceof StorageUnavailable) return error.message
  if (error instanceof ProviderUnavailable)
    return `The payment provider does not answer: ${rootMessage(error)} Run the command again later.`
  if (isDatabaseUnavailable(error))
    return (
      `The database stopped answering: ${rootMessage(error)} What the command finished before is kept. ` +
      'Check the installation: npm run cli -- doctor'
    )
  const refusal = refusalIn(error)
  if (refusal) return `The database refused a statement of the command: ${refusal}`
  return error
}

// The reader of a pipe may leave before the end, as head does. The command still does all its work.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

try {
  await createProgram().parseAsync(withPresentName(process.argv.slice(2)), { from: 'user' })
} catch (error) {
  // Commander has already printed the error.
  if (error instanceof CommanderError) process.exit(error.exitCode)
  console.error(printed(error))
  process.exit(1)
}
