import type { Command } from 'commander'
import { listCharges, showCharge } from '#api/modules/subscriptions/charges.ts'
import { refundCharge } from '#api/modules/subscriptions/ending.ts'
import { isFailure } from '#api/platform/context.ts'
import { type PaymentId, paymentId } from '#contract/ids.ts'
import { memberNamed } from './identity/members.ts'
import { idArgument } from './platform/arguments.ts'
import { formatAmount, parseAmount } from './platform/money.ts'
import { actorOf, inStore, type StoreOptions, transactWithZone } from './platform/open.ts'
import { printRows, timeOf } from './platform/print.ts'

const readId = idArgument(paymentId, 'Enter the id of a charge, as the command charges lists it.')

/** Commands that list subscription charges and refund them. */
export const subscriptionCommands = (program: Command, store: (command: Command) => Command) => {
  store(program.command('charges').description('List a member’s subscription payments'))
    .argument('<email>', 'the member')
    .action(async (email: string, options: StoreOptions) => {
      const { answer: rows, timeZone } = await transactWithZone(options, async (ctx) =>
        listCharges(ctx, await memberNamed(ctx, email)),
      )
      printRows(
        rows.map(({ at, amount, refunded, currency, failure, id, ...row }) => ({
          at: timeOf(at),
          ...row,
          amount: formatAmount(amount, currency),
          refunded: formatAmount(refunded, currency),
          failure,
          id,
        })),
        'No charges.',
        timeZone,
      )
    })

  store(program.command('refund-charge').description('Refund a subscription payment'))
    .argument('<charge>', 'the id of the charge, as the command charges lists it', readId)
    .requiredOption(
      '--total <amount>',
      'total refunded after this command, for example 12.50 in USD or 12000 in KRW; repeating it refunds nothing more',
    )
    .requiredOption('--reason <text>', 'reason for the audit log')
    .option('--end', 'also end the subscription immediately')
    .action(async (chargeId: PaymentId, options: StoreOptions & { total: string; reason: string; end?: true }) => {
      const { total: typed, reason, end: ends = false } = options
      const outcome = await inStore(
        options,
        async (ctx) => {
          const shown = await ctx.inTransaction((tx) => showCharge(tx, chargeId))
          if (isFailure(shown)) return shown
          const { currency } = shown.charge
          const total = parseAmount('--total', typed, currency)
          const refused = await refundCharge(ctx, { chargeId, total, ends, reason, by: actorOf(options) })
          return refused ?? formatAmount(total, currency)
        },
        `charge ${chargeId}`,
      )
      console.log(`Total refunded: ${outcome}${ends ? ', and the subscription has ended.' : '.'}`)
    })
}
