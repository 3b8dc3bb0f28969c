import { type Command, InvalidArgumentError, Option } from 'commander'
import { listStoreOrders, showStoreOrder } from '#api/modules/admin/store-orders.ts'
import { type OrderStatus, orderStatus } from '#contract/enumerations.ts'
import type { OrderCode } from '#contract/ids.ts'
import { memberNamed } from './identity/members.ts'
import { formatAmount } from './platform/money.ts'
import { wholeNumber } from './platform/number.ts'
import { type StoreOptions, transact } from './platform/open.ts'
import { readOrderCode } from './platform/order-code.ts'
import { minuteOf, printFacts, printRows } from './platform/print.ts'

/** Parses `2026-11-21`. Returns the text: which day it is depends on the store's time zone. */
const readStoreDay = (text: string): string => {
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

/** Commands that list and show the orders of one store. */
export const orderCommands = (program: Command, store: (command: Command) => Command) => {
  store(program.command('orders').description('List orders, newest first'))
    .addOption(new Option('--status <status>', 'only this status').choices(orderStatus.options))
    .option('--member <email>', 'only this member')
    .option('--from <day>', 'from this day, in the store’s time zone', readStoreDay)
    .option('--to <day>', 'up to and including this day', readStoreDay)
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
    .argument('<order>', 'the order, for example 20261121-7F3K9Q', readOrderCode)
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
        'The order has no items.',
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
        'No payments.',
      )
      console.log()
      printRows(
        timeline.map(({ at, type, amount, detail }) => ({
          at: minuteOf(at),
          event: type,
          amount: money(amount),
          detail,
        })),
        'No events.',
      )
    })
}
