import type { Command } from 'commander'
import { listStoreMembers, showStoreMember } from '#api/modules/admin/store-orders.ts'
import { memberIdOf, setPartnership } from '#api/modules/identity/profile.ts'
import type { Ctx, Failure } from '#api/platform/context.ts'
import { OperatorError } from '#api/platform/log/operator-error.ts'
import { readEndOfDay } from '../platform/duration.ts'
import { wholeNumber } from '../platform/number.ts'
import { actorOf, type StoreOptions, transact } from '../platform/open.ts'
import { minuteOf, printFacts, printRows } from '../platform/print.ts'

/** Commands for the members of one store and their entitlements. */
export const memberCommands = (program: Command, store: (command: Command) => Command) => {
  store(program.command('members').description('List members, newest first'))
    .option('--search <text>', 'only members whose name or email contains this text', '')
    .option('--limit <count>', 'results per page', wholeNumber, 50)
    .option('--page <number>', 'page number', wholeNumber, 1)
    .action(async (options: StoreOptions & { search: string; limit: number; page: number }) => {
      const { search, limit: size, page } = options
      const rows = await transact(options, (ctx) => listStoreMembers(ctx, { search, page, size }))
      printRows(
        rows.map((member) => ({
          joined: minuteOf(member.createdAt),
          email: member.email,
          name: member.name,
          orders: member.orders,
          plan: member.plan,
          partnership: member.partnershipUntil?.slice(0, 10),
          'last seen': member.lastSeenAt && minuteOf(member.lastSeenAt),
        })),
        'No member matches.',
      )
    })

  store(program.command('member').description('Show a member: profile, plan and purchased titles'))
    .argument('<email>', 'the member')
    .action(async (email: string, options: StoreOptions) => {
      const { member, rights } = await transact(options, async (ctx) =>
        showStoreMember(ctx, await memberNamed(ctx, email)),
      )
      printFacts({
        name: member.name,
        email: member.email,
        phone: member.phone,
        joined: minuteOf(member.createdAt),
        'last seen': member.lastSeenAt && minuteOf(member.lastSeenAt),
        language: member.locale,
        'marketing mails': member.marketing ? 'Yes' : 'No',
        plan: member.plan,
        'partnership until': member.partnershipUntil?.slice(0, 10),
        'paid orders': member.orders,
      })
      console.log()
      printRows(
        rights.map((right) => ({
          since: minuteOf(right.createdAt),
          until: endOf(right),
          source: right.source,
          product: right.productCode,
          title: right.title,
        })),
        'No purchased titles.',
      )
      const { customer } = options
      console.log(`\nOrders: npm run cli -- orders -c ${customer} --member ${email}`)
      console.log(`Charges for plans: npm run cli -- charges -c ${customer} ${email}`)
    })

  store(program.command('partnership').description('Grant a member access to all plan titles until a date'))
    .argument('<email>', 'the member')
    .requiredOption('--until <day>', 'the last day; a past date ends the partnership', readEndOfDay)
    .option('--name <text>', 'name shown to the member')
    .action(async (email: string, options: StoreOptions & { until: Date; name?: string }) => {
      const input = { email, until: options.until, name: options.name ?? null }
      const granted = await transact(options, (ctx) => setPartnership(ctx, actorOf(options), input))
      console.log(`Partnership for ${email} ends on ${granted.until.slice(0, 10)}.`)
    })
}

type Right = Exclude<Awaited<ReturnType<typeof showStoreMember>>, Failure>['rights'][number]

const endOf = ({ expiresAt, startBy, rentalDays }: Right) => {
  if (expiresAt) return minuteOf(expiresAt)
  if (!startBy) return 'no end'
  return `${rentalDays} ${rentalDays === 1 ? 'day' : 'days'} from the first play, which must be by ${minuteOf(startBy)}`
}

/**
 * Returns the id of the member with an email address.
 *
 * @throws OperatorError where the store has none
 */
export const memberNamed = async (ctx: Pick<Ctx, 'db' | 'customer'>, email: string) => {
  const id = await memberIdOf(ctx, email)
  if (!id) throw new OperatorError(`Store ${ctx.customer.code} has no member ${email}.`)
  return id
}
