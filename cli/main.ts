import { CommanderError } from 'commander'
import { OperatorError } from '#api/platform/log/log.ts'
import { StorageUnavailable } from '#api/platform/storage/storage.ts'
import { createProgram, withPresentName } from './program.ts'

try {
  await createProgram().parseAsync(withPresentName(process.argv.slice(2)), { from: 'user' })
} catch (error) {
  // Commander has already printed the error.
  if (error instanceof CommanderError) process.exit(error.exitCode)
  console.error(error instanceof OperatorError || error instanceof StorageUnavailable ? error.message : error)
  process.exit(1)
}
