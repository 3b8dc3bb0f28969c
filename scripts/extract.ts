/**
 * Collects new messages into the catalogues of the app, the console and the API. Lingui's hints are
 * left out, because they name a command that this project does not have (`npm run compile`).
 */
import { spawnSync } from 'node:child_process'

for (const config of ['lingui.config.ts', 'admin.lingui.config.ts']) {
  const { status, stdout } = spawnSync('lingui', ['extract', '--clean', '--config', config], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.stdout.write((stdout ?? '').replaceAll(/^\(Use ".*\n/gm, ''))
  if (status !== 0) process.exitCode = status ?? 1
}
