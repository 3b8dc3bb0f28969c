import type { Command } from 'commander'
import { createApi } from '#api/app.ts'
import { listFailingJobs } from '#api/modules/admin/stores.queries.ts'
import { readMailTroubles } from '#api/modules/mail/mail.queries.ts'
import { readTenants } from '#api/modules/tenancy/tenancy.queries.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { StartupError } from '#api/platform/log.ts'
import { sweepTenants } from '#api/worker.ts'
import { readDuration } from './duration.ts'
import { type Opened, open } from './open.ts'
import { printRows } from './print.ts'

const day = 86_400_000

/** Returns failed and retried mails of every store as rows of `jobs`. */
const failingMails = async ({ deps }: Opened) => {
  const troubles = []
  for (const { id, code } of await readTenants(deps.pool))
    for (const trouble of await withTenant(deps.pool, id, (db) => readMailTroubles(db, id)))
      troubles.push({
        customer: code,
        chore: 'mails',
        state: trouble.status === 'FAILED' ? 'failed' : 'retry',
        tries: trouble.attempts,
        since: trouble.since,
        failure: `${trouble.mails} × ${trouble.failure}`,
      })
  return troubles
}

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
      const failing = [...(await listFailingJobs(opened.deps.pool)), ...(await failingMails(opened))]
      printRows(failing, 'No failing background jobs.')
      if (failing.some(({ chore }) => chore === 'mails'))
        console.log(
          '\nList the emails: npm run cli -- mails list -c <store>. Resend them: npm run cli -- mails resend --failed -c <store>',
        )
    })
}
