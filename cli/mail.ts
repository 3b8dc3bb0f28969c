import { type Command, Option } from 'commander'
import { mailTemplates } from '#api/mail-templates.ts'
import { listMails, type MailFilter, resendMail, resendMails } from '#api/modules/mail/mails.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { mailStatus } from '#contract/enumerations.ts'
import { type MailId, mailId } from '#contract/ids.ts'
import { idArgument, wholeNumber } from './platform/arguments.ts'
import { actorOf, type StoreOptions, transact, transactWithZone } from './platform/open.ts'
import { printRows, timeOf } from './platform/print.ts'

const readId = idArgument(mailId, 'Enter the id of an email, as `mails` shows it.')

/** Commands that list sent and failed mails of one store, and send a mail again. */
export const mailCommands = (program: Command, store: (command: Command) => Command) => {
  store(program.command('mails').description('List emails, newest first'))
    .addOption(new Option('--status <status>', 'only this status').choices(mailStatus.options))
    .option('--to <email>', 'only this recipient', '')
    .option('--limit <count>', 'maximum number of results', wholeNumber, 50)
    .action(async (options: StoreOptions & Omit<MailFilter, 'status'> & Partial<Pick<MailFilter, 'status'>>) => {
      const { status = null, to, limit } = options
      const { answer: rows, timeZone } = await transactWithZone(options, (ctx) => listMails(ctx, { status, to, limit }))
      printRows(
        rows.map((mail) => ({
          written: timeOf(mail.createdAt),
          status: mail.status,
          tries: mail.attempts,
          to: mail.to,
          about: mail.template,
          'next try': mail.status === 'QUEUED' ? timeOf(mail.dueAt) : null,
          id: mail.id,
          failure: mail.failure,
        })),
        'No email matches.',
        timeZone,
      )
    })

  const group = program.command('mail').description('Resend emails')
  store(group.command('resend').description('Resend one email or all that failed'))
    .argument('[id]', 'the email, as `mails` shows it', readId)
    .option('--failed', 'all failed emails')
    .action(async (id: MailId | undefined, options: StoreOptions & { failed?: true }) => {
      if ((id === undefined) === (options.failed === undefined))
        throw new OperatorError('Enter the id of an email, or --failed to resend all failed emails.')
      const by = actorOf(options)
      if (id !== undefined) {
        await transact(options, (ctx) => resendMail(ctx, by, id, mailTemplates), `email ${id}`)
        console.log('Queued for sending: 1.')
        return
      }
      const { queued, expired } = await transact(options, (ctx) => resendMails(ctx, by, null, mailTemplates))
      console.log(`Queued for sending: ${queued}.`)
      if (expired > 0)
        console.log(
          `Skipped: ${expired}, because their code or link has expired. Recipients can request a new one in the store.`,
        )
    })
}
