import { type Command, Option } from 'commander'
import { closeCase, pageCases } from '#api/modules/support/cases.ts'
import { answerInquiry, pageInquiries, showInquiry } from '#api/modules/support/staff-inquiries.ts'
import { type CaseId, caseId, type InquiryCode, inquiryCode } from '#contract/ids.ts'
import { commentsWaiting } from './engagement.ts'
import { codeArgument, idArgument, wholeNumber } from './platform/arguments.ts'
import { actorOf, type StoreOptions, transact, transactWithZone } from './platform/open.ts'
import { formatTime, printRows, timeOf } from './platform/print.ts'

const readCaseId = idArgument(caseId, 'Enter the id of a case, as `cases` lists it.')

const readInquiryCode = codeArgument(inquiryCode, 'Enter the code of an inquiry, for example Q-7F3K9Q.')

/** Cases and inquiries of one store. Every change is written to the audit log. */
export const supportCommands = (program: Command, store: (command: Command) => Command) => {
  store(program.command('cases').description('List open cases, oldest first'))
    .addOption(new Option('--status <status>', 'only this status').choices(['WAIT', 'COMPLETE']).default('WAIT'))
    .option('--limit <count>', 'maximum number of results', wholeNumber, 50)
    .action(async (options: StoreOptions & { status: 'WAIT' | 'COMPLETE'; limit: number }) => {
      const { answer: page, timeZone } = await transactWithZone(options, (ctx) =>
        pageCases(ctx, { status: options.status, size: options.limit }),
      )
      printRows(
        page.items.map(({ id, type, subject, email, createdAt }) => ({
          since: timeOf(createdAt),
          type,
          subject,
          email,
          id,
        })),
        options.status === 'WAIT' ? 'No open cases.' : 'No closed cases.',
        timeZone,
      )
      const comments = options.status === 'WAIT' ? await commentsWaiting(options) : null
      if (comments) console.log(`\n${comments}`)
    })

  const cases = program.command('case').description('Close a case')
  store(cases.command('close').description('Close a case that was resolved elsewhere'))
    .argument('<id>', 'the case, as `cases` lists it', readCaseId)
    .requiredOption('--note <text>', 'how it was resolved')
    .action(async (id: CaseId, options: StoreOptions & { note: string }) => {
      const closed = await transact(
        options,
        (ctx) => closeCase(ctx, actorOf(options), { id, note: options.note }),
        `case ${id}`,
      )
      console.log(`Closed: ${closed.subject}`)
    })

  store(program.command('inquiries').description('List inquiries awaiting an answer')).action(
    async (options: StoreOptions) => {
      const { answer: waiting, timeZone } = await transactWithZone(options, (ctx) =>
        pageInquiries(ctx, { status: 'WAIT', q: '', words: '', size: 200 }),
      )
      printRows(
        waiting.items.map(({ code, type, title, updatedAt }) => ({ since: timeOf(updatedAt), code, type, title })),
        'No inquiries are awaiting an answer.',
        timeZone,
      )
    },
  )

  store(program.command('inquiry').description('Show or answer an inquiry'))
    .argument('<code>', 'the inquiry, for example Q-7F3K9Q', readInquiryCode)
    .option('--answer <text>', 'the answer sent to the member')
    .action(async (code: InquiryCode, options: StoreOptions & { answer?: string }) => {
      if (options.answer !== undefined) {
        const body = options.answer
        const { title } = await transact(
          options,
          (ctx) => answerInquiry(ctx, { by: actorOf(options), operator: null }, { code, body }),
          `inquiry ${code}`,
        )
        console.log(`Answered: ${title}`)
        return
      }
      const { answer, timeZone } = await transactWithZone(options, (ctx) => showInquiry(ctx, code), `inquiry ${code}`)
      const { inquiry, messages } = answer
      console.log(`${inquiry.code}  ${inquiry.type}  ${inquiry.status}  ${inquiry.title}`)
      for (const { message, files } of messages) {
        console.log(`\n${message.author} ${formatTime(new Date(message.createdAt), timeZone)}\n${message.body}`)
        for (const file of files) console.log(`  ${file.name} (${file.bytes} bytes, ${file.asset})`)
      }
    })
}
