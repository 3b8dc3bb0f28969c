import { join } from 'node:path'
import type { Config } from '#api/config.ts'
import { recordedMode } from '#api/modules/tenancy/store-states.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { embeddedPostgresExists } from './embedded-postgres.ts'
import type { Environment } from './environment.ts'

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
