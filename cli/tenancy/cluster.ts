import type { Command } from 'commander'
import { distribute } from '#api/platform/db/migrate.ts'
import { OperatorError } from '#api/platform/log/operator-error.ts'
import { wholeNumber } from '../platform/arguments.ts'
import { open } from '../platform/open.ts'

/** The number of parts that the rows of all stores are divided into; one store is in one part. */
const defaultShards = 32

/** Commands for a database that is a cluster of Citus. */
export const clusterCommands = (program: Command) => {
  program
    .command('cluster')
    .description('Distribute the stores over the nodes of a cluster')
    .command('distribute')
    .description('Distribute all tables by store over the workers')
    .option('--shards <count>', 'parts that stores are divided into', wholeNumber, defaultShards)
    .action(async ({ shards }: { shards: number }) => {
      await using opened = await open()
      const { url, ownerUrl } = opened.database
      if (!ownerUrl) throw new OperatorError('Set DATABASE_OWNER_URL: the serving role cannot distribute tables.')
      const done = await distribute({ url, ownerUrl }, shards, (table, number, count) =>
        console.log(`${number}/${count} ${table}`),
      )
      const { tables, workers } = done
      console.log(
        tables.length > 0
          ? `Distributed ${tables.length} tables over ${workers.length} workers, in ${done.shards} parts by store.`
          : `All tables were already distributed, in ${done.shards} parts by store.`,
      )
      for (const { name, problem } of workers)
        console.log(`${problem ? '✗' : '✓'} ${name}${problem ? `: ${problem}` : ''}`)
      if (workers.some(({ problem }) => problem)) process.exitCode = 1
    })
}
