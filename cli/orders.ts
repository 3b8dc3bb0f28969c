import { type Command, Option } from 'commander'
import { listStoreOrders, showStoreOrder } from '#api/modules/admin/store-orders.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { type OrderStatus, orderStatus } from '#contract/enumerations.ts'
import type { OrderCode } from '#contract/ids.ts'
import { memberNamed } from './identity/members.ts'
import { readDay, readOrderCode, wholeNumber } from './platform/arguments.ts'
import { formatAmount } from './platform/money.ts'
import { type StoreOptions, transactWithZone } from './platform/open.ts'
import { printFacts, printRows, timeOf } from './platform/print.ts'

interface ListOptions extends StoreOptions {
  status?: OrderStatus
  member?: string
  from?: string
  to?: string
  limit: number
  page: number
}

/** Commands that list and show the orders of one store. */
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
      if (firstDay !== null && lastDay !== null && firstDay > lastDay)
        throw new OperatorError(`--to: Enter ${firstDay} or a later day.`)
      const { answer: rows, timeZone } = await transactWithZone(options, async (ctx) => {
        const memberId = member === undefined ? null : await memberNamed(ctx, member)
        return listStoreOrders(ctx, { status, memberId, firstDay, lastDay, page, size })
      })
      printRows(
        rows.map(({ createdAt, code, totalAmount, refundedAmount, currency, titles, ...row }) => ({
          placed: timeOf(createdAt),
          code,
          status: row.status ?? 'not paid yet',
          total: formatAmount(totalAmount, currency),
          refunded: refundedAmount > 0 ? formatAmount(refundedAmount, currency) : '',
          by: row.method,
          member: row.email,
          titles: titles.join(', '),
        })),
        'No order matches.',
        timeZone,
      )
    })

  store(program.command('order').description('Show an order with its payments and timeline'))
    .argument('<order>', 'the order, for example 20261121-7F3K9Q', readOrderCode)
    .action(async (code: OrderCode, options: StoreOptions) => {
      const { answer, timeZone } = await transactWithZone(options, (ctx) => showStoreOrder(ctx, code), `order ${code}`)
      const { order, member, items, payments, refund, timeline } = answer
      const money = (amount: number | null) => (amount === null ? '' : formatAmount(amount, order.currency))
      printFacts(
        {
          order: order.code,
          status: order.status ?? 'not paid yet',
          member: member ? `${member.name} <${member.email}>`.trim() : 'withdrawn',
          total: money(order.totalAmount),
          refunded: order.refundedAmount > 0 ? money(order.refundedAmount) : null,
          placed: timeOf(order.createdAt),
          paid: timeOf(order.paidAt),
          'deposit by': order.status === 'DEPOSIT_WAITING' ? timeOf(order.depositDeadline) : null,
          refund: refund && `${refund.outcome ?? refund.step}, ${money(refund.amount)}: ${refund.reason}`,
          'refund failed': refund?.failure,
        },
        timeZone,
      )
      console.log()
      printRows(
        items.map((item) => ({
          title: item.productCode,
          name: item.productTitle,
          option: item.optionName,
          price: money(item.priceAmount),
          opened: timeOf(item.openedAt),
          refunded: timeOf(item.refundedAt),
        })),
        'The order has no items.',
        timeZone,
      )
      console.log()
      printRows(
        payments.map((payment) => ({
          begun: timeOf(payment.createdAt),
          provider: payment.provider,
          by: payment.method,
          status: payment.status,
          amount: money(payment.amount),
          refunded: payment.refundedAmount > 0 ? money(payment.refundedAmount) : '',
          failure: payment.failure,
          reference: payment.providerRef,
        })),
        'No payments.',
        timeZone,
      )
      console.log()
      printRows(
        timeline.map(({ at, type, amount, detail }) => ({
          at: timeOf(at),
          event: type,
          amount: money(amount),
          detail,
        })),
        'No events.',
        timeZone,
      )
    })
}
