import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import type { Config } from '#api/config.ts'
import { recordedMode } from '#api/modules/tenancy/installation.ts'
import { OperatorError } from '#api/platform/log/operator-error.ts'
import { errorCode } from '#contract/safe-error.ts'
import { embeddedPostgresExists } from './embedded-postgres.ts'

const defaultFile = fileURLToPath(new URL('../.env', import.meta.url))

type Variables = Record<string, string | undefined>

/** The variables of the process and of the environment file. */
export interface Environment {
  variables: Variables
  /** The file with the variables; null where there is none. */
  file: string | null
  /** The path of the default file or of the named one. */
  path: string
  /** Whether a variable's value comes from the file. */
  isFromFile: (name: string) => boolean
}

/**
 * Reads the environment file that the service, the worker and the command line share: the one that
 * `MARQUEE_ENV_FILE` names, else `.env` beside `package.json`. Variables of the process override
 * it.
 *
 * @throws OperatorError when the file is named but missing, or cannot be read
 */
export const readEnvironment = (own: Variables = process.env): Environment => {
  const named = own.MARQUEE_ENV_FILE
  const path = named ? resolve(named) : defaultFile
  const content = readFile(path, Boolean(named))
  const fileVariables = content === null ? {} : parseEnv(content)
  const isFromFile = (name: string) => own[name] === undefined && fileVariables[name] !== undefined
  return { variables: { ...fileVariables, ...own }, file: content === null ? null : path, path, isFromFile }
}

const readFile = (path: string, isNamed: boolean) => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' && !isNamed) return null
    throw new OperatorError(
      `The environment file ${path}${isNamed ? ' of MARQUEE_ENV_FILE' : ''} cannot be read (${code}).`,
    )
  }
}

/**
 * Copies the variables of the environment file to the process, because the storefront reads some of
 * them there.
 */
export const applyEnvironmentFile = (): Variables => Object.assign(process.env, readEnvironment().variables)

/**
 * Refuses to start where no database exists yet. Programs beside the service use this, because a
 * second, empty database would look like lost data.
 *
 * @param remedy How to create a database, as the end of a sentence
 * @throws OperatorError that names the places of the search
 */
export const requireDatabase = (
  { database, dataFolder }: Pick<Config, 'database' | 'dataFolder'>,
  { file, path }: Pick<Environment, 'file' | 'path'>,
  remedy: string,
) => {
  const folder = join(dataFolder, 'postgres')
  if (database || embeddedPostgresExists(folder)) return
  const where = file
    ? `Neither the environment nor ${file} sets DATABASE_URL`
    : `DATABASE_URL is not set, and there is no environment file ${path}`
  throw new OperatorError(
    [
      `No database found. ${where}, and there is no embedded database in ${folder}.`,
      'If the service runs elsewhere: set DATABASE_URL or MARQUEE_DATA to its values, or MARQUEE_ENV_FILE to its environment file.',
      `For a new installation: ${remedy}.`,
    ].join('\n'),
  )
}

/**
 * Returns the configuration of a program beside the service, in the recorded mode of the service.
 * `NODE_ENV=production` overrides it. Before the first start the mode comes from `NODE_ENV`, else
 * it is production, which has the strictest rules.
 */
export const withRecordedMode = async (config: Config, url: string, nodeEnv: string | undefined): Promise<Config> => {
  const written = await recordedMode(url)
  const recorded = written ?? (nodeEnv ? config.environment : 'production')
  const environment = nodeEnv === 'production' ? 'production' : recorded
  return {
    ...config,
    environment,
    production: environment === 'production',
    demo: written !== null && environment !== 'production',
  }
}
