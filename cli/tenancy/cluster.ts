import { type Command, InvalidArgumentError } from 'commander'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { distribute, onClient } from '#api/platform/db/migrate.ts'
import { type ClusterNode, moveStore, nameOfNode } from '#api/platform/db/move-store.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { wholeNumber } from '../platform/arguments.ts'
import { open } from '../platform/open.ts'

/** The number of parts that the rows of all stores are divided into; one store is in one part. */
const defaultShards = 32

/** Parses `worker-2.internal:5432`. */
const readNode = (text: string): ClusterNode => {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  if (!host || !port)
    throw new InvalidArgumentError('Enter a worker with its port, for example worker-2.internal:5432.')
  return { host, port: Number(port) }
}

/** Commands for a database that is a cluster of Citus. */
export const clusterCommands = (program: Command) => {
  const cluster = program.command('cluster').description('Distribute the stores over the nodes of a cluster')
  cluster
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
  cluster
    .command('move <store>')
    .description('Move a store in use to another worker')
    .requiredOption('--to <host:port>', 'the worker, as cluster distribute lists it', readNode)
    .option('--block-writes', 'let writes of these stores wait until the end')
    .action(async (code: string, { to, blockWrites = false }: { to: ClusterNode; blockWrites?: boolean }) => {
      await using opened = await open()
      const customer = await resolveCustomer(opened.deps, code)
      if (!customer) throw new OperatorError(`There is no store with the customer code ${code}.`)
      const { ownerUrl } = opened.database
      if (!ownerUrl) throw new OperatorError('Set DATABASE_OWNER_URL: the serving role cannot move stores.')
      const from = await onClient(ownerUrl, (client) =>
        onClient(ownerUrl, (observer) => moveStore(client, observer, { customerId: customer.id, to, blockWrites })),
      )
      console.log(
        from
          ? `Moved ${code} from ${from} to ${nameOfNode(to)}.`
          : `${code} is at ${nameOfNode(to)} already. Nothing was moved.`,
      )
    })
}
