/**
 * Writes `.env.example` from the schema of the configuration.
 *
 *   npm run generate
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type * as z from 'zod'
import { environment, processVariables } from '#api/config-schema.ts'

const file = fileURLToPath(new URL('../.env.example', import.meta.url))

const heading = `# Settings of the service, the worker and the command. Copy this file to .env and remove the # before what you set.
# docs/operations.md describes each in full.
`

const ending = `# The following are not read from this file: set them in the environment of the process.
`

const shown = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '')

/** The content of `.env.example`: each variable with its description, its default or an example. */
export const envExample = (): string =>
  [
    heading,
    ...Object.entries<z.ZodType>(environment.shape).map(([name, schema]) => entry(name, schema)),
    ending,
    ...Object.entries(processVariables).map(
      ([name, { description, example }]) => `# ${description}\n# ${name}=${example}\n`,
    ),
  ].join('\n')

function entry(name: string, schema: z.ZodType): string {
  const { description, example } = schema.meta() ?? {}
  const value = shown(schema.safeParse(undefined).data) || shown(example)
  return `# ${description}\n#${name}=${value}\n`
}

if (import.meta.main) writeFileSync(file, envExample())
