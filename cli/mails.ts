import { type Command, InvalidArgumentError, Option } from 'commander'
import * as z from 'zod/mini'
import { mailTemplates } from '#api/mail-templates.ts'
import { type MailStatus, readMailList } from '#api/modules/mail/mail.queries.ts'
import { resendMails } from '#api/modules/mail/mails.ts'
import { StartupError } from '#api/platform/log.ts'
import { wholeNumber } from './number.ts'
import { actorOf, type StoreOptions, transact } from './open.ts'
import { minuteOf, printRows } from './print.ts'

const readId = (text: string): string => {
  const parsed = z.uuid().safeParse(text.trim().toLowerCase())
  if (!parsed.success) throw new InvalidArgumentError('Enter the id of a mail, as `mails list` shows it.')
  return parsed.data
}

/** Commands that list sent and failed mails of one store, and send a mail again. */
export const mailCommands = (program: Command, store: (command: Command) => Command) => {
  const group = program.command('mails').description('List emails and resend those that failed')

  store(group.command('list', { isDefault: true }).description('List emails, newest first'))
    .addOption(new Option('--status <status>', 'only this status').choices(['QUEUED', 'SENT', 'FAILED', 'KEPT']))
    .option('--to <email>', 'only this recipient', '')
    .option('--limit <count>', 'maximum number of results', wholeNumber, 50)
    .action(async (options: StoreOptions & { status?: MailStatus; to: string; limit: number }) => {
      const { status = null, to, limit } = options
      const rows = await transact(options, ({ db, customer }) =>
        readMailList(db, customer.id, { status, to: to.trim(), limit }),
      )
      printRows(
        rows.map((mail) => ({
          written: minuteOf(mail.createdAt),
          status: mail.status,
          tries: mail.attempts,
          to: mail.to,
          about: mail.template,
          'next try': mail.status === 'QUEUED' ? minuteOf(mail.dueAt) : '',
          id: mail.id,
          failure: mail.failure,
        })),
        'No mail matches.',
      )
    })

  store(group.command('resend').description('Resend one email or all that failed'))
    .argument('[id]', 'the mail, as `mails list` shows it', readId)
    .option('--failed', 'all failed emails')
    .action(async (id: string | undefined, options: StoreOptions & { failed?: true }) => {
      if ((id === undefined) === (options.failed === undefined))
        throw new StartupError('Enter the id of an email, or --failed to resend all failed emails.')
      const { queued, expired } = await transact(options, (ctx) =>
        resendMails(ctx, actorOf(options), id ?? null, mailTemplates),
      )
      console.log(`Queued for sending: ${queued}.`)
      if (expired > 0)
        console.log(
          `Left alone: ${expired}, because their code or link has expired. Recipients can request a new one in the store.`,
        )
    })
}
