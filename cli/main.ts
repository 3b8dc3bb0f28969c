import { CommanderError } from 'commander'
import { StartupError } from '#api/platform/log.ts'
import { StorageAway } from '#api/platform/storage/storage.ts'
import { createProgram } from './program.ts'

try {
  await createProgram().parseAsync()
} catch (error) {
  // Commander has said what was wrong already.
  if (error instanceof CommanderError) process.exit(error.exitCode)
  console.error(error instanceof StartupError || error instanceof StorageAway ? error.message : error)
  process.exit(1)
}
