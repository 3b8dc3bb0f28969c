import type { Command } from 'commander'
import { listOpenCancelRequests } from '#api/modules/admin/store-orders.ts'
import { acceptCancel, rejectCancel } from '#api/modules/billing/refund-decisions.ts'
import { refundOrder } from '#api/modules/billing/refunds.ts'
import { invalidField, isFailure } from '#api/platform/context.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import type { OrderCode } from '#contract/ids.ts'
import { readOrderCode } from '../platform/arguments.ts'
import { formatAmount } from '../platform/money.ts'
import { actorOf, inStore, type StoreOptions, transact, transactWithZone } from '../platform/open.ts'
import { printRows, timeOf } from '../platform/print.ts'

/** Commands that refund orders of one store, with or without a member's request. */
export const refundCommands = (program: Command, store: (command: Command) => Command) => {
  store(program.command('refund').description('Refund an order or some of its titles'))
    .argument('<order>', 'the order, for example 20261121-7F3K9Q', readOrderCode)
    .option('--title <product...>', 'only these titles, by product code (default: everything not refunded yet)')
    .requiredOption('--reason <text>', 'reason for the audit log; the member does not see it')
    .action(async (code: OrderCode, options: StoreOptions & { title?: string[]; reason: string }) => {
      const { title: productCodes = [], reason } = options
      const refund = { code, productCodes, reason, by: actorOf(options) }
      const { step, amount, currency, titles } = await inStore(
        options,
        async (ctx) => {
          const answer = await refundOrder(ctx, refund)
          // What the console does on the order.
          const isRequested = isFailure(answer) && answer.failure === 'VALIDATION_FAILED' && answer.data !== undefined
          if (!isRequested) return answer
          const [why = ''] = answer.errors?.code ?? []
          return invalidField('code', `${why} Decide: npm run cli -- cancel ${code} -c ${ctx.customer.code} --accept`)
        },
        `order ${code}`,
      )
      const what = `${formatAmount(amount, currency)} for ${titles.join(', ')}`
      const outcome = {
        REFUND: `Refunded: ${what}.`,
        ACCEPT: `Refund started: ${what}. The provider has not confirmed it yet. It is checked again automatically.`,
        ACCOUNT: `Refund started: ${what}. The order was paid by bank transfer. The member was asked by email for a bank account.`,
      }
      console.log(outcome[step])
    })

  store(program.command('cancel-requests').description('List refunds awaiting a decision or a payout')).action(
    async (options: StoreOptions) => {
      const { answer: rows, timeZone } = await transactWithZone(options, listOpenCancelRequests)
      printRows(
        rows.map(({ since, amount, currency, ...row }) => ({
          since: timeOf(since),
          amount: formatAmount(amount, currency),
          ...row,
        })),
        'No refunds are waiting.',
        timeZone,
      )
    },
  )

  store(program.command('cancel').description('Approve or reject a refund request'))
    .argument('<order>', 'the order, for example 20261121-7F3K9Q', readOrderCode)
    .option('--accept', 'approve the refund')
    .option('--reject <reason>', 'reject it; the member sees the reason')
    .action(async (code: OrderCode, options: StoreOptions & { accept?: true; reject?: string }) => {
      const { accept, reject } = options
      if ((accept === undefined) === (reject === undefined))
        throw new OperatorError('Use --accept, or --reject with a reason for the member.')
      const by = actorOf(options)
      if (reject !== undefined) {
        await transact(options, (ctx) => rejectCancel(ctx, { code, by, reason: reject }), `order ${code}`)
        console.log(`Rejected: ${code}`)
        return
      }
      const { step } = await inStore(options, (ctx) => acceptCancel(ctx, { code, by }), `order ${code}`)
      console.log(
        step === 'REFUND'
          ? `Approved and refunded: ${code}`
          : `Approved: ${code}. The provider has not completed the refund yet and will be retried automatically.`,
      )
    })
}
