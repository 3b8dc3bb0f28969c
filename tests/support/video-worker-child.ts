import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { createDeps, type Deps } from '#api/deps.ts'
import { startEncoders } from '#api/modules/media/encoding/encoders.ts'

/** The step of a job before or after which the worker is killed. */
export type KillPoint = 'taken' | 'encoding' | 'storing' | 'before the switch' | 'after the switch' | 'never'

interface WorkerOptions {
  databaseUrl: string
  jobsDatabaseUrl?: string
  secret: string
  dataFolder: string
  killAt: KillPoint
}

const { databaseUrl, jobsDatabaseUrl, secret, dataFolder, killAt } = JSON.parse(
  process.argv[2] ?? '{}',
) as WorkerOptions
const die = () => process.kill(process.pid, 'SIGKILL')

const opened = createDeps({
  databaseUrl,
  jobsDatabaseUrl,
  secret,
  config: {
    production: true,
    dataFolder,
    logLevel: 'silent',
    databasePoolSize: 4,
    encoders: 1,
    publicUrl: null,
    trustedProxies: [],
    demo: true,
  },
})

let stored = 0
const storage: Deps['storage'] = {
  ...opened.storage,
  putFolder: async (prefix, folder, options) => {
    await opened.storage.putFolder(prefix, folder, options)
    stored++
    if (killAt === 'storing') die()
  },
}
/** The connections that wrote what the kill point waits for: others commit meanwhile. */
const taking = new WeakSet<pg.Client>()
const switching = new WeakSet<pg.Client>()
const { query } = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...given: unknown[]) {
    const text = typeof given[0] === 'string' ? given[0] : ((given[0] as { text?: string } | undefined)?.text ?? '')
    if (/insert into "videos"/.test(text)) switching.add(this)
    if (/update "video_jobs"/.test(text)) taking.add(this)
    if (given[0] !== 'COMMIT') return query.apply(this, given)
    if (switching.has(this) && killAt === 'before the switch') die()
    return (query.apply(this, given) as Promise<unknown>).then((answer) => {
      if (
        (switching.has(this) && stored > 0 && killAt === 'after the switch') ||
        (taking.has(this) && killAt === 'taken')
      )
        die()
      return answer
    })
  },
})
if (killAt === 'encoding')
  setInterval(() => {
    const work = join(dataFolder, 'work')
    const begun = (folder: string) => readdirSync(join(work, folder, 'work')).some((name) => name.endsWith('.mp4'))
    try {
      if (readdirSync(work).some(begun)) die()
    } catch {
      // Not begun yet.
    }
  }, 5)

await startEncoders({ ...opened, storage })
process.stdout.write('ready\n')
setInterval(() => undefined, 1000)
