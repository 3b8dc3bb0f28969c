import type { Command } from 'commander'
import { listCommentsToReview, replyAsStore } from '#api/modules/engagement/comments.ts'
import { approveComment, commentsToReview, hideComment } from '#api/modules/engagement/moderation.ts'
import { type CommentId, commentId } from '#contract/ids.ts'
import { idArgument, wholeNumber } from './platform/arguments.ts'
import { actorOf, type StoreOptions, transact, transactWithZone } from './platform/open.ts'
import { printRows, timeOf } from './platform/print.ts'

const readId = idArgument(commentId, 'Enter the id of a comment, as `comments` shows it.')

/**
 * Returns the line of `cases` with the number of comments that wait for a moderator; null when
 * there are none.
 */
export const commentsWaiting = (options: StoreOptions): Promise<string | null> =>
  transact(options, async (ctx) => {
    const { held, reported } = await commentsToReview(ctx)
    if (held + reported === 0) return null
    return `Comments to review: ${held} held, ${reported} reported. See: npm run cli -- comments -c ${ctx.customer.code}`
  })

/** Commands that list held and reported comments, and moderate them. */
export const commentCommands = (program: Command, store: (command: Command) => Command) => {
  store(program.command('comments').description('List held and reported comments, oldest first'))
    .option('--limit <count>', 'maximum number of results', wholeNumber, 50)
    .action(async (options: StoreOptions & { limit: number }) => {
      const { answer: rows, timeZone } = await transactWithZone(options, (ctx) =>
        listCommentsToReview(ctx, options.limit),
      )
      printRows(
        rows.map(({ createdAt, state, reports, productCode, author, body, id }) => ({
          written: timeOf(createdAt),
          why: [
            ...(state === 'HELD' ? ['held'] : []),
            ...reports.map(({ reason, count }) => `${count} × ${reason}`),
          ].join(', '),
          product: productCode,
          author,
          id,
          text: body,
        })),
        'No comment is held or reported.',
        timeZone,
      )
    })

  const group = program.command('comment').description('Approve, hide or answer a comment')
  const decision = (name: string, description: string) =>
    store(group.command(name).description(description)).argument('<id>', 'the comment, as `comments` shows it', readId)

  decision('approve', 'Publish a comment and close its reports').action(
    async (id: CommentId, options: StoreOptions) => {
      await transact(options, (ctx) => approveComment(ctx, actorOf(options), { id }), `comment ${id}`)
      console.log(`Approved: ${id}. It is now public.`)
    },
  )

  decision('hide', 'Hide a comment from all but its author; close its reports')
    .option('--note <text>', 'reason for the audit log')
    .action(async (id: CommentId, options: StoreOptions & { note?: string }) => {
      await transact(
        options,
        (ctx) => hideComment(ctx, actorOf(options), { id, note: options.note ?? null }),
        `comment ${id}`,
      )
      console.log(`Hidden: ${id}. Its author still sees it, marked as hidden.`)
    })

  decision('reply', 'Reply to a comment in the store’s name')
    .requiredOption('--text <text>', 'the reply, 1 to 1,000 characters')
    .action(async (id: CommentId, options: StoreOptions & { text: string }) => {
      await transact(options, (ctx) => replyAsStore(ctx, actorOf(options), { id, body: options.text }), `comment ${id}`)
      console.log(`Replied to ${id}.`)
    })
}
