import type { Command } from 'commander'
import { createApi } from '#api/app.ts'
import { listFailingJobs } from '#api/modules/admin/failing-jobs.ts'
import { StartupError } from '#api/platform/log.ts'
import { sweepTenants } from '#api/worker.ts'
import { readDuration } from './duration.ts'
import { open } from './open.ts'
import { printRows } from './print.ts'

const day = 86_400_000

/** Commands of the whole installation: its clock and its jobs. */
export const installationCommands = (program: Command) => {
  program
    .command('clock')
    .description('Show or advance the clock (demo and test only)')
    .option('--advance <time>', 'for example 12h or 31d', readDuration)
    .action(async ({ advance }: { advance?: number }) => {
      await using opened = await open()
      const { deps } = opened
      if (!deps.storeClock) throw new StartupError('The clock cannot be changed in production.')
      const post = createApi(deps).fetch
      for (let left = advance ?? 0; left > 0; left -= day) {
        const now = await deps.storeClock.move(Math.min(left, day))
        await sweepTenants(deps, post)
        if (process.stdout.isTTY) process.stdout.write(`\r${now.toISOString().slice(0, 10)}`)
      }
      console.log(`${process.stdout.isTTY && advance ? '\r' : ''}${deps.clock.now().toISOString()}`)
    })

  program
    .command('jobs')
    .description('List background jobs that keep failing')
    .action(async () => {
      await using opened = await open()
      const failing = await listFailingJobs(opened.deps.pool)
      printRows(failing, 'No failing background jobs.')
      if (failing.some(({ task }) => task === 'mails'))
        console.log(
          '\nList the emails: npm run cli -- mails -c <store>. Resend them: npm run cli -- mail resend --failed -c <store>',
        )
    })
}
