import { type Command, InvalidArgumentError, Option } from 'commander'
import { listOpenCancelRequests, listStoreOrders, showStoreOrder } from '#api/modules/admin/store-orders.ts'
import { acceptCancel, rejectCancel } from '#api/modules/billing/refund-decisions.ts'
import { refundOrder } from '#api/modules/billing/refunds.ts'
import { StartupError } from '#api/platform/log.ts'
import { type OrderStatus, orderStatus } from '#contract/enumerations.ts'
import { type OrderCode, orderCode } from '#contract/ids.ts'
import { memberNamed } from './member.ts'
import { formatAmount } from './money.ts'
import { wholeNumber } from './number.ts'
import { actorOf, inStore, type StoreOptions, transact } from './open.ts'
import { minuteOf, printFacts, printRows } from './print.ts'

const readCode = (text: string): OrderCode => {
  const parsed = orderCode.safeParse(text.trim().toUpperCase())
  if (!parsed.success) throw new InvalidArgumentError('Enter the code of an order, for example 20261121-7F3K9Q.')
  return parsed.data
}

const readDay = (text: string): string => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text)))
    throw new InvalidArgumentError('Enter a day, for example 2026-11-21.')
  return text
}

interface ListOptions extends StoreOptions {
  status?: OrderStatus
  member?: string
  from?: string
  to?: string
  limit: number
  page: number
}

/**
 * Commands that list and show the orders of one store, and refund them with or without a request.
 */
export const orderCommands = (program: Command, store: (command: Command) => Command) => {
  store(program.command('orders').description('List orders, newest first'))
    .addOption(new Option('--status <status>', 'only this status').choices(orderStatus.options))
    .option('--member <email>', 'only this member')
    .option('--from <day>', 'from this day, in the store’s time zone', readDay)
    .option('--to <day>', 'up to and including this day', readDay)
    .option('--limit <count>', 'results per page', wholeNumber, 50)
    .option('--page <number>', 'page number', wholeNumber, 1)
    .action(async (options: ListOptions) => {
      const { status = null, member, from: firstDay = null, to: lastDay = null, limit: size, page } = options
      const rows = await transact(options, async (ctx) => {
        const memberId = member === undefined ? null : await memberNamed(ctx, member)
        return listStoreOrders(ctx, { status, memberId, firstDay, lastDay, page, size })
      })
      printRows(
        rows.map(({ createdAt, code, totalAmount, refundedAmount, currency, titles, ...row }) => ({
          placed: minuteOf(createdAt),
          code,
          status: row.status ?? 'not paid yet',
          total: formatAmount(totalAmount, currency),
          refunded: refundedAmount > 0 ? formatAmount(refundedAmount, currency) : '',
          by: row.method,
          member: row.email,
          titles: titles.join(', '),
        })),
        'No order matches.',
      )
    })

  store(program.command('order').description('Show an order: its titles, payments, refund and timeline'))
    .argument('<order>', 'the order, for example 20261121-7F3K9Q', readCode)
    .action(async (code: OrderCode, options: StoreOptions) => {
      const shown = await transact(options, (ctx) => showStoreOrder(ctx, code))
      const { order, member, items, payments, refund, timeline } = shown
      const money = (amount: number | null) => (amount === null ? '' : formatAmount(amount, order.currency))
      printFacts({
        order: order.code,
        status: order.status ?? 'not paid yet',
        member: member ? `${member.name} <${member.email}>`.trim() : 'withdrawn',
        total: money(order.totalAmount),
        refunded: order.refundedAmount > 0 ? money(order.refundedAmount) : null,
        placed: minuteOf(order.createdAt),
        paid: order.paidAt && minuteOf(order.paidAt),
        'deposit by':
          order.status === 'DEPOSIT_WAITING' && order.depositDeadline ? minuteOf(order.depositDeadline) : null,
        refund: refund && `${refund.outcome ?? refund.step}, ${money(refund.amount)}: ${refund.reason}`,
        'refund failed': refund?.failure,
      })
      console.log()
      printRows(
        items.map((item) => ({
          title: item.productCode,
          name: item.productTitle,
          option: item.optionName,
          price: money(item.priceAmount),
          opened: item.openedAt && minuteOf(item.openedAt),
          refunded: item.refundedAt && minuteOf(item.refundedAt),
        })),
        'Nothing stands in it.',
      )
      console.log()
      printRows(
        payments.map((payment) => ({
          begun: minuteOf(payment.createdAt),
          provider: payment.provider,
          by: payment.method,
          status: payment.status,
          amount: money(payment.amount),
          refunded: payment.refundedAmount > 0 ? money(payment.refundedAmount) : '',
          failure: payment.failure,
          reference: payment.providerRef,
        })),
        'No payment was begun.',
      )
      console.log()
      printRows(
        timeline.map(({ at, type, amount, detail }) => ({
          at: minuteOf(at),
          event: type,
          amount: money(amount),
          detail,
        })),
        'Nothing has happened yet.',
      )
    })

  store(program.command('refund').description("Refund an order, or titles of it, without a member's request"))
    .argument('<order>', 'the order, for example 20261121-7F3K9Q', readCode)
    .option('--title <product...>', 'only these titles, by product code (by default everything not refunded yet)')
    .requiredOption('--reason <text>', 'why, for the audit; the member does not see it')
    .action(async (code: OrderCode, options: StoreOptions & { title?: string[]; reason: string }) => {
      const { title: productCodes = [], reason } = options
      const refund = { code, productCodes, reason, by: actorOf(options) }
      const { step, amount, currency, titles } = await inStore(options, (env) => refundOrder(env, refund))
      const what = `${formatAmount(amount, currency)} for ${titles.join(', ')}`
      const outcome = {
        REFUND: `Refunded: ${what}.`,
        ACCEPT: `Refund begun: ${what}. The provider has not confirmed it yet; it is asked again automatically.`,
        ACCOUNT: `Refund begun: ${what}. The order was paid by bank: the member is asked by mail for the account it goes to.`,
      }
      console.log(outcome[step])
    })

  store(program.command('cancel-requests').description('List refunds awaiting a decision or a payout')).action(
    async (options: StoreOptions) => {
      const rows = await transact(options, listOpenCancelRequests)
      printRows(
        rows.map(({ since, amount, currency, ...row }) => ({
          since: minuteOf(since),
          amount: formatAmount(amount, currency),
          ...row,
        })),
        'No refund waits.',
      )
    },
  )

  store(program.command('cancel').description('Approve or reject a refund request'))
    .argument('<order>', 'the order, for example 20261121-7F3K9Q', readCode)
    .option('--accept', 'approve the refund')
    .option('--reject <reason>', 'reject it; the member sees the reason')
    .action(async (code: OrderCode, options: StoreOptions & { accept?: true; reject?: string }) => {
      const { accept, reject } = options
      if ((accept === undefined) === (reject === undefined))
        throw new StartupError('Use --accept, or --reject with a reason for the member.')
      const by = actorOf(options)
      if (reject !== undefined) {
        await transact(options, (ctx) => rejectCancel(ctx, { code, by, reason: reject }))
        console.log(`Rejected: ${code}`)
        return
      }
      const { step } = await inStore(options, (env) => acceptCancel(env, { code, by }))
      console.log(
        step === 'REFUND'
          ? `Approved and refunded: ${code}`
          : `Approved: ${code}. The provider has not completed the refund yet and will be retried automatically.`,
      )
    })
}
