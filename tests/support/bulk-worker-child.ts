import pg from 'pg'
import { createApi } from '#api/app.ts'
import { createDeps } from '#api/deps.ts'
import { startWorker } from '#api/worker.ts'

export interface BulkWorkerOptions {
  databaseUrl: string
  jobsDatabaseUrl?: string | undefined
  secret: string
  dataFolder: string
}

const { dataFolder, ...given } = JSON.parse(process.argv[2] ?? '{}') as BulkWorkerOptions
const deps = createDeps({
  ...given,
  config: {
    production: true,
    dataFolder,
    logLevel: 'silent',
    databasePoolSize: 4,
    publicUrl: null,
    trustedProxies: [],
    demo: true,
  },
})

const { query } = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
Object.assign(pg.Client.prototype, {
  /** Writes a line for each part of a job, before it is committed. */
  query(this: pg.Client, ...values: unknown[]) {
    const [first] = values
    const text = typeof first === 'string' ? first : ((first as { text?: string } | undefined)?.text ?? '')
    if (/^update "bulk_jobs"/.test(text)) process.stdout.write('part\n')
    return query.apply(this, values)
  },
})

await startWorker(deps, createApi(deps).fetch)
process.stdout.write('ready\n')
setInterval(() => undefined, 1000)
