import { type Command, InvalidArgumentError } from 'commander'
import { and, asc, eq, isNull } from 'drizzle-orm'
import { members } from '#api/db/schema/accounts.ts'
import { orders } from '#api/db/schema/commerce.ts'
import { cancelRequests } from '#api/db/schema/refunds.ts'
import { acceptCancel } from '#api/domain/desk/accept-cancel.ts'
import { rejectCancel } from '#api/domain/desk/reject-cancel.ts'
import { StartupError } from '#api/startup-error.ts'
import { type OrderCode, orderCode } from '#contract/ids.ts'
import { amountInWords } from './money.ts'
import { actorOf, inStore, type StoreOptions, transact } from './open.ts'
import { minuteOf, printRows } from './print.ts'

const readCode = (text: string): OrderCode => {
  const parsed = orderCode.safeParse(text.trim().toUpperCase())
  if (!parsed.success) throw new InvalidArgumentError('Give the code of an order, for example 20261121-7F3K9Q.')
  return parsed.data
}

/** The desk's part in refunds: what members ask to send back, and the decision. */
export const orderCommands = (program: Command, store: (command: Command) => Command) => {
  store(
    program.command('cancel-requests').description('List orders whose refund waits for a decision or for its money'),
  ).action(async (options: StoreOptions) => {
    const rows = await transact(options, ({ db, customer }) =>
      db
        .select({
          since: cancelRequests.createdAt,
          code: orders.code,
          step: cancelRequests.step,
          amount: cancelRequests.amount,
          currency: cancelRequests.currency,
          email: members.email,
          reason: cancelRequests.reason,
          failure: cancelRequests.failure,
        })
        .from(cancelRequests)
        .innerJoin(orders, and(eq(orders.customerId, cancelRequests.customerId), eq(orders.id, cancelRequests.orderId)))
        .innerJoin(
          members,
          and(eq(members.customerId, cancelRequests.customerId), eq(members.id, cancelRequests.memberId)),
        )
        .where(and(eq(cancelRequests.customerId, customer.id), isNull(cancelRequests.outcome)))
        .orderBy(asc(cancelRequests.createdAt))
        .limit(200),
    )
    printRows(
      rows.map(({ since, amount, currency, ...row }) => ({
        since: minuteOf(since),
        amount: amountInWords(amount, currency),
        ...row,
      })),
      'No refund waits.',
    )
  })

  store(program.command('cancel').description("Decide a member's wish to send an order back"))
    .argument('<order>', 'the order, for example 20261121-7F3K9Q', readCode)
    .option('--accept', 'the money goes back')
    .option('--reject <reason>', 'it does not, for a reason the member reads')
    .action(async (code: OrderCode, options: StoreOptions & { accept?: true; reject?: string }) => {
      const { accept, reject } = options
      if ((accept === undefined) === (reject === undefined))
        throw new StartupError('Decide: --accept, or --reject with the reason the member reads.')
      const by = actorOf(options)
      if (reject !== undefined) {
        await transact(options, (ctx) => rejectCancel(ctx, { code, by, reason: reject }))
        console.log(`Rejected: ${code}`)
        return
      }
      const { step } = await inStore(options, (env) => acceptCancel(env, { code, by }))
      console.log(
        step === 'REFUND'
          ? `Accepted, and the money has gone back: ${code}`
          : `Accepted: ${code}. The provider has not given the money back yet; it is asked again by itself.`,
      )
    })
}
