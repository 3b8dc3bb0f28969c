import { type Command, InvalidArgumentError } from 'commander'
import { and, desc, eq } from 'drizzle-orm'
import { members } from '#api/db/schema/accounts.ts'
import { plans, subscriptionCharges } from '#api/db/schema/plans.ts'
import { lowerEmail } from '#api/domain/accounts/email.ts'
import { refundCharge } from '#api/domain/subscriptions/refund-charge.ts'
import { type PaymentId, paymentId } from '#contract/ids.ts'
import { actorOf, inStore, type StoreOptions, transact } from './open.ts'
import { printRows } from './print.ts'

const readId = (text: string): PaymentId => {
  const parsed = paymentId.safeParse(text.trim().toLowerCase())
  if (!parsed.success) throw new InvalidArgumentError('Give the id of a charge, as the command charges lists it.')
  return parsed.data
}

const readTotal = (text: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('Give a whole number above zero.')
  return Number(text)
}

/** The desk's part in subscriptions: what was charged, and money given back. */
export const subscriptionCommands = (program: Command, store: (command: Command) => Command) => {
  store(program.command('charges').description("List what was charged for a member's subscriptions, latest first"))
    .argument('<email>', 'the member')
    .action(async (email: string, options: StoreOptions) => {
      const rows = await transact(options, ({ db, customer }) =>
        db
          .select({
            at: subscriptionCharges.createdAt,
            plan: plans.name,
            kind: subscriptionCharges.kind,
            status: subscriptionCharges.status,
            amount: subscriptionCharges.amount,
            refunded: subscriptionCharges.refundedAmount,
            currency: subscriptionCharges.currency,
            failure: subscriptionCharges.failure,
            id: subscriptionCharges.id,
          })
          .from(subscriptionCharges)
          .innerJoin(
            plans,
            and(eq(plans.customerId, subscriptionCharges.customerId), eq(plans.id, subscriptionCharges.planId)),
          )
          .innerJoin(
            members,
            and(eq(members.customerId, subscriptionCharges.customerId), eq(members.id, subscriptionCharges.memberId)),
          )
          .where(and(eq(subscriptionCharges.customerId, customer.id), eq(members.emailLower, lowerEmail(email))))
          .orderBy(desc(subscriptionCharges.createdAt))
          .limit(100),
      )
      printRows(
        rows.map(({ at, ...row }) => ({ at: at.slice(0, 16).replace('T', ' '), ...row })),
        'Nothing was charged.',
      )
    })

  store(program.command('refund-charge').description("Give money of a subscription's charge back"))
    .argument('<charge>', 'the id of the charge, as the command charges lists it', readId)
    .requiredOption(
      '--total <minor units>',
      'what has been given back in all when this is done, 1250 for $12.50; the same again gives nothing more',
      readTotal,
    )
    .requiredOption('--reason <words>', 'why, for the audit')
    .option('--end', 'the subscription ends with it, at once')
    .action(async (chargeId: PaymentId, options: StoreOptions & { total: number; reason: string; end?: true }) => {
      const { total, reason, end: ends = false } = options
      await inStore(options, (env) => refundCharge(env, { chargeId, total, ends, reason, by: actorOf(options) }))
      console.log(ends ? 'Given back, and the subscription has ended.' : 'Given back.')
    })
}
