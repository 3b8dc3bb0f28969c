/**
 * Collects new messages into the catalogues of the app and the API. Lingui's hints are left out,
 * because they name a command that this project does not have (`npm run compile`).
 */
import { spawnSync } from 'node:child_process'

const { status, stdout } = spawnSync('lingui', ['extract', '--clean'], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
})
process.stdout.write((stdout ?? '').replaceAll(/^\(Use ".*\n/gm, ''))
process.exitCode = status ?? 1
