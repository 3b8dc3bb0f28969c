import { CommanderError } from 'commander'
import { StartupError } from '#api/startup-error.ts'
import { createProgram } from './program.ts'

try {
  await createProgram().parseAsync()
} catch (error) {
  // Commander has said what was wrong already.
  if (error instanceof CommanderError) process.exit(error.exitCode)
  console.error(error instanceof StartupError ? error.message : error)
  process.exit(1)
}
