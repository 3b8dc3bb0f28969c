import type { Command } from 'commander'
import { listStoreMembers, showStoreMember } from '#api/modules/admin/store-members.ts'
import { setPartnership } from '#api/modules/identity/member-changes.ts'
import { memberIdOf } from '#api/modules/identity/profile.ts'
import { endOfDay } from '#api/platform/clock.ts'
import { type Ctx, type Failure, isFailure } from '#api/platform/context.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { readDay, wholeNumber } from '../platform/arguments.ts'
import { actorOf, type StoreOptions, transactWithZone } from '../platform/open.ts'
import { formatTime, printFacts, printRows, timeOf } from '../platform/print.ts'

/** Commands for the members of one store and their entitlements. */
export const memberCommands = (program: Command, store: (command: Command) => Command) => {
  store(program.command('members').description('List members, newest first'))
    .option('--search <text>', 'only members whose name or email contains this text', '')
    .option('--limit <count>', 'results per page', wholeNumber, 50)
    .option('--page <number>', 'page number', wholeNumber, 1)
    .action(async (options: StoreOptions & { search: string; limit: number; page: number }) => {
      const { search, limit: size, page } = options
      const { answer: rows, timeZone } = await transactWithZone(options, (ctx) =>
        listStoreMembers(ctx, { search, page, size }),
      )
      printRows(
        rows.map((member) => ({
          joined: timeOf(member.createdAt),
          email: member.email,
          name: member.name,
          orders: member.orders,
          plan: member.plan,
          partnership: timeOf(member.partnershipUntil),
          'last seen': timeOf(member.lastSeenAt),
        })),
        'No member matches.',
        timeZone,
      )
    })

  store(program.command('member').description('Show a member’s profile, plan and titles'))
    .argument('<email>', 'the member')
    .action(async (email: string, options: StoreOptions) => {
      const { answer, timeZone } = await transactWithZone(options, async (ctx) =>
        showStoreMember(ctx, await memberNamed(ctx, email)),
      )
      const { member, rights } = answer
      printFacts(
        {
          name: member.name,
          email: member.email,
          phone: member.phone,
          joined: timeOf(member.createdAt),
          'last seen': timeOf(member.lastSeenAt),
          language: member.locale,
          'marketing emails': member.marketing ? 'Yes' : 'No',
          plan: member.plan,
          'partnership until': timeOf(member.partnershipUntil),
          'paid orders': member.orders,
        },
        timeZone,
      )
      console.log()
      printRows(
        rights.map((right) => ({
          since: timeOf(right.createdAt),
          until: endOf(right, timeZone),
          source: right.source,
          product: right.productCode,
          title: right.title,
        })),
        'No purchased titles.',
        timeZone,
      )
      const { customer } = options
      console.log(`\nOrders: npm run cli -- orders -c ${customer} --member ${email}`)
      console.log(`Charges for plans: npm run cli -- charges -c ${customer} ${email}`)
    })

  store(program.command('partnership').description('Give a member all titles of plans until a day'))
    .argument('<email>', 'the member')
    .requiredOption(
      '--until <day>',
      'the last day, in the store’s time zone; a past date ends the partnership',
      readDay,
    )
    .option('--name <text>', 'name shown to the member')
    .action(async (email: string, options: StoreOptions & { until: string; name?: string }) => {
      const { until: lastDay, name = null } = options
      const { answer, timeZone } = await transactWithZone(options, async (ctx) => {
        const id = await memberNamed(ctx, email)
        const isPast = endOfDay(lastDay, ctx.customer.settings.base.timeZone) <= ctx.clock.now()
        const change = await setPartnership(ctx, actorOf(options), { id, until: isPast ? null : lastDay, name })
        return isFailure(change) ? change : { ...change, isPast }
      })
      if (!answer.isChanged && answer.isPast) console.log(`${email} has no partnership.`)
      else if (answer.isPast) console.log(`The partnership of ${email} has ended.`)
      else console.log(`Partnership for ${email} ends on ${lastDay} (${timeZone}).`)
    })
}

type Right = Exclude<Awaited<ReturnType<typeof showStoreMember>>, Failure>['rights'][number]

const endOf = ({ expiresAt, startBy, rentalDays }: Right, timeZone: string) => {
  if (expiresAt) return timeOf(expiresAt)
  if (!startBy) return 'no end'
  const days = `${rentalDays} ${rentalDays === 1 ? 'day' : 'days'}`
  return `${days} from the first play, which must be by ${formatTime(new Date(startBy), timeZone)}`
}

/**
 * Returns the id of the member with an email address.
 *
 * @throws OperatorError if the store has none
 */
export const memberNamed = async (ctx: Pick<Ctx, 'db' | 'customer'>, email: string) => {
  const id = await memberIdOf(ctx, email)
  if (!id) throw new OperatorError(`Store ${ctx.customer.code} has no member ${email}.`)
  return id
}
