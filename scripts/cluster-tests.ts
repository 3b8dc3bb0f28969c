/**
 * Runs tests of the API on a cluster of Citus, one coordinator and two workers:
 *
 *   npm run test:cluster             all of them in portions
 *   npm run test:cluster -- --part   the part that `npm test` runs
 *   npm run test:cluster -- FILE     single files
 *
 * The program of CLUSTER_SCRIPT makes and starts the cluster. Where it is missing, nothing runs.
 */
import { spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { resolve } from 'node:path'

/** The program that builds and runs a cluster. */
export const clusterScript = resolve(process.env.CLUSTER_SCRIPT ?? '../shared/cluster/cluster')

/** Why no cluster can be tried here; null if one can. */
export const clusterObstacle = (): string | null => {
  if (!existsSync(clusterScript)) return `there is no ${clusterScript}, which CLUSTER_SCRIPT names`
  return process.getuid?.() === 0 ? null : 'it needs root'
}

const inFolder = (names: string) => names.split(' ').map((name) => `tests/api/${name}.test.ts`)

/** What `npm test` runs on a cluster. */
export const clusterPart = inFolder(
  'cluster cluster-nodes cluster-rows tenancy orders payments subscriptions catalog playback catalog-files store-files staff admin-members webhook-endpoints webhook-deliveries',
)

/** Files that share a cluster: each database of its own costs every node a process. */
const portion = 10

/** Runs files on a new cluster. Returns whether all passed. */
const runFiles = (files: readonly string[]) =>
  new Promise<boolean>((done) => {
    const child = spawn('vitest', ['run', '--project', 'api', '--retry=1', ...files], {
      stdio: 'inherit',
      env: { ...process.env, TEST_CLUSTER: 'true' },
    })
    child.once('exit', (code) => done(code === 0))
  })

if (import.meta.filename === process.argv[1]) {
  const obstacle = clusterObstacle()
  const [, , ...given] = process.argv
  if (obstacle) console.log(`The cluster is not tried: ${obstacle}.`)
  else {
    const files = given.includes('--part')
      ? clusterPart
      : given.length > 0
        ? given
        : globSync('tests/api/*.test.ts').sort()
    const size = given.length > 0 ? files.length : portion
    const failed: string[][] = []
    for (let from = 0; from < files.length; from += size) {
      const together = files.slice(from, from + size)
      if (!(await runFiles(together))) failed.push(together)
    }
    for (const together of failed) console.log(`Failed: ${together.join(' ')}`)
    process.exitCode = failed.length > 0 ? 1 : 0
  }
}
