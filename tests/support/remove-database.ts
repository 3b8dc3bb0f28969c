/**
 * Removes the run's PostgreSQL and its other files when the run ends, also when it is killed: the
 * pipe from it closes then.
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeEmbeddedPostgres } from '#server/embedded-postgres.ts'

const [, , folder, clusterScript] = process.argv
if (!folder) throw new Error('Name the folder of the run.')
process.on('SIGINT', () => undefined)
await once(process.stdin.resume(), 'end')
// A killed process uses its folder for a moment longer.
if (clusterScript) spawnSync('bash', [clusterScript, 'down', join(folder, 'cluster')], { cwd: '/' })
for (let tries = 0; tries < 20; tries++) {
  const removed = await removeEmbeddedPostgres(join(folder, 'database')).then(
    () => true,
    () => false,
  )
  if (removed) break
  await sleep(500)
}
await rm(folder, { recursive: true, force: true })
