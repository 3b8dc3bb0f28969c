import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { OperatorError } from '#api/platform/log/log.ts'
import { errorCode } from '#contract/safe-error.ts'

const defaultFile = fileURLToPath(new URL('../.env', import.meta.url))

type Variables = Record<string, string | undefined>

/** The variables of the process and of the environment file. */
export interface Environment {
  variables: Variables
  /** The file with the variables; null if there is none. */
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
