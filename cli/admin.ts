import type { Command } from 'commander'
import { createApi } from '#api/app.ts'
import { listFailingJobs } from '#api/modules/admin/waiting-work.ts'
import { listAuditEntries } from '#api/platform/audit.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { sweepTenants } from '#api/worker.ts'
import { examineInstallation } from '#server/doctor/doctor.ts'
import { readDuration, wholeNumber } from './platform/arguments.ts'
import { formatAmount } from './platform/money.ts'
import { open, type StoreOptions, transactWithZone } from './platform/open.ts'
import { oneLine, printRows, timeOf } from './platform/print.ts'

const amounts = ['amount', 'total']

/** The signs of findings. */
const signs = { OK: '✓', ADVISED: '·', WRONG: '✗' } as const

/** Formats the details of an audit entry. Amounts without a currency are in the store's. */
const withAmountLabels = ({ currency, ...detail }: Record<string, unknown>, ofStore: string) =>
  Object.fromEntries(
    Object.entries(detail).map(([name, value]) => [
      name,
      amounts.includes(name) && typeof value === 'number' ? formatAmount(value, String(currency ?? ofStore)) : value,
    ]),
  )

/** The installation's clock and jobs, and the audit log of one store. */
export const adminCommands = (program: Command, store: (command: Command) => Command) => {
  program
    .command('doctor')
    .description('Check the installation, say what to do')
    .action(async () => {
      const findings = await examineInstallation()
      for (const { state, subject, text } of findings) console.log(`${signs[state]} ${subject}: ${oneLine(text)}`)
      if (findings.some(({ state }) => state === 'WRONG')) process.exitCode = 1
    })

  program
    .command('clock')
    .description('Show or advance the clock (demo and test only)')
    .option('--advance <time>', 'for example 12h or 31d', readDuration)
    .action(async ({ advance }: { advance?: number }) => {
      await using opened = await open()
      const { deps } = opened
      if (!deps.storeClock) throw new OperatorError('The clock cannot be changed in production.')
      const post = createApi(deps).fetch
      for (let left = advance ?? 0; left > 0; left -= dayMilliseconds) {
        const now = await deps.storeClock.move(Math.min(left, dayMilliseconds))
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
      printRows(
        // The rows of several stores have one time zone: UTC.
        failing.map((job) => ({ ...job, since: timeOf(job.since) })),
        'No failing background jobs.',
      )
      for (const code of new Set(failing.filter(({ task }) => task === 'mails').map(({ customer }) => customer))) {
        console.log(`\nList and resend the emails of ${code}:`)
        console.log(`    npm run cli -- mails -c ${code}`)
        console.log(`    npm run cli -- mail resend --failed -c ${code}`)
      }
    })

  store(program.command('audit').description('Show the audit log, newest first'))
    .option('--limit <count>', 'maximum number of results', wholeNumber, 50)
    .action(async (options: StoreOptions & { limit: number }) => {
      const { answer: rows, timeZone } = await transactWithZone(options, async (ctx) => {
        const acts = await listAuditEntries(ctx, options.limit)
        return acts.map(({ at, actor, action, subject, detail }) => ({
          at: timeOf(at),
          actor,
          action,
          subject,
          detail: withAmountLabels(detail, ctx.customer.settings.base.currency),
        }))
      })
      printRows(rows, 'No audit entries yet.', timeZone)
    })
}
