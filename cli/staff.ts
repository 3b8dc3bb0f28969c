import { type Command, InvalidArgumentError, Option } from 'commander'
import { inviteStaff } from '#api/modules/staff/invitations.ts'
import { removeStaffSecondFactor } from '#api/modules/staff/staff-recovery.ts'
import { listStaff, removeStaff } from '#api/modules/staff/staff-roles.ts'
import { storeOrigins } from '#api/modules/tenancy/stores.ts'
import type { Ctx } from '#api/platform/context.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import type { StaffId } from '#contract/ids.ts'
import { permission, type StaffRole, staffRole } from '#contract/permissions.ts'
import { staffInvite } from '#contract/staff.ts'
import { actorOf, done, inStore, type StoreOptions, transact, transactWithZone } from './platform/open.ts'
import { printRows, timeOf } from './platform/print.ts'

const readEmail = (text: string): string => {
  const parsed = staffInvite.shape.email.safeParse(text.trim())
  if (!parsed.success) throw new InvalidArgumentError('Enter an email address, for example mina@example.com.')
  return parsed.data
}

/** The command line may give all rights. */
const grantorOf = (options: StoreOptions) => ({ by: actorOf(options), permissions: permission.options })

const idOf = async (ctx: Ctx, email: string): Promise<StaffId> => {
  const person = (await listStaff(ctx)).find((each) => each.email.toLowerCase() === email.toLowerCase())
  if (!person) throw new OperatorError(`Nobody with the email address ${email} manages this store.`)
  return person.id
}

/** Commands for the people who manage one store in the browser. */
export const staffCommands = (program: Command, store: (command: Command) => Command) => {
  const group = program.command('staff').description('Manage the people who manage a store')

  store(group.command('invite').description('Invite a person by email, and print the link'))
    .argument('<email>', 'the person', readEmail)
    .addOption(new Option('--role <role>', 'the role').choices(staffRole.options).default('OWNER'))
    .action(async (email: string, options: StoreOptions & { role: StaffRole }) => {
      const { path, origin } = await inStore(options, async (ctx, deps) => {
        const invited = done(
          await ctx.inTransaction((tx) =>
            inviteStaff(tx, grantorOf(options), { email, grant: { role: options.role } }),
          ),
        )
        const [origin = ''] = await storeOrigins(deps, ctx.customer)
        return { path: invited.path, origin }
      })
      console.log(`Invited ${email} as ${options.role}. The link is valid for 7 days:\n  ${origin}${path}`)
    })

  store(group.command('list').description('List the people with their roles')).action(async (options: StoreOptions) => {
    const { answer: rows, timeZone } = await transactWithZone(options, listStaff)
    printRows(
      rows.map(({ name, email, role, roleName, hasSecondFactor, lastSeenAt }) => ({
        name,
        email,
        role: roleName ?? role,
        'second factor': hasSecondFactor ? 'yes' : 'no',
        'last seen': timeOf(lastSeenAt),
      })),
      'Nobody manages this store yet. See: npm run cli -- staff invite --help',
      timeZone,
    )
  })

  store(group.command('remove').description('Remove a person from the store and end their sessions'))
    .argument('<email>', 'the person', readEmail)
    .action(async (email: string, options: StoreOptions) => {
      await transact(options, async (ctx) => removeStaff(ctx, grantorOf(options), await idOf(ctx, email)))
      console.log(`Removed ${email}.`)
    })

  store(group.command('remove-app').description('Remove a lost app and passkeys, and end all sessions'))
    .argument('<email>', 'the person', readEmail)
    .action(async (email: string, options: StoreOptions) => {
      await transact(options, async (ctx) => removeStaffSecondFactor(ctx, actorOf(options), await idOf(ctx, email)))
      console.log(
        `Removed the authenticator app and passkeys of ${email}, who can now sign in with the password alone.`,
      )
    })
}
