import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type * as z from 'zod/mini'
import type { commentQueue } from '#contract/admin/queues.ts'
import { Button } from '~/ui/button'
import { Card } from '~/ui/card'
import { EmptyState } from '~/ui/empty-state'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { lazyPart } from '../../platform/lazy-part'
import { useMay } from '../../platform/session'
import form from '../../ui/form.module.css'
import { Page } from '../../ui/page'
import { useRowFocus } from '../../ui/row-focus'
import { Loaded } from '../../ui/states'
import styles from './comment-queue.module.css'
import { CommentReasons } from './comment-reasons'
import { ReplyButton, ReplyForm, replyButtonId } from './comment-reply'
import { commentsKey } from './comments.queries'
import { useDecisions } from './use-decisions'

const BlockedPhrasesDialog = lazyPart(async () => ({
  default: (await import('./blocked-phrases')).BlockedPhrasesDialog,
}))

type Queue = z.output<typeof commentQueue>
type Comment = Queue['items'][number]

function Actions({ comment, onReply }: { comment: Comment; onReply: () => void }) {
  const { id, state } = comment
  const { publish, hide } = useDecisions(comment)
  return (
    <div className={form.buttons}>
      <Button size="s" variant="primary" loading={publish.isPending} onClick={() => publish.send(undefined)}>
        <Trans>Approve</Trans>
      </Button>
      <Button size="s" loading={hide.isPending} onClick={() => hide.send(undefined)}>
        <Trans>Hide</Trans>
      </Button>
      <ReplyButton id={id} isHeld={state === 'HELD'} onOpen={onReply} />
    </div>
  )
}

function CommentCard({ comment }: { comment: Comment }) {
  const { dateTime } = useFormat()
  const may = useMay()
  const [isReplying, setReplying] = useState(false)
  const { id, memberId, author, body, productCode, productTitle, createdAt, state } = comment
  return (
    <Card className={styles.comment}>
      <p className={styles.about}>
        {memberId && may('members:read') ? (
          <Link to="/members/$id" params={{ id: memberId }}>
            <bdi>{author}</bdi>
          </Link>
        ) : (
          <bdi>{author}</bdi>
        )}{' '}
        ·{' '}
        <a href={`/products/${productCode}`}>
          <bdi>{productTitle}</bdi>
        </a>{' '}
        · {dateTime(createdAt)}
      </p>
      <p className={styles.body} dir="auto">
        {body}
      </p>
      <CommentReasons comment={comment} hasLink={state === 'HELD' && comment.hasLink} />
      {may('comments:write') &&
        (isReplying ? (
          <ReplyForm
            id={id}
            editedAt={comment.editedAt}
            openedBy={replyButtonId(id)}
            isHeld={state === 'HELD'}
            onClose={() => setReplying(false)}
          />
        ) : (
          <Actions comment={comment} onReply={() => setReplying(true)} />
        ))}
    </Card>
  )
}

/** The comments. A decision removes its card, and the focus moves to the next one. */
function Comments({ items, held, reported }: Queue) {
  const focus = useRowFocus<HTMLDivElement>(items.map(({ id }) => id))
  if (items.length === 0)
    return (
      <Card>
        <EmptyState icon="check" compact title={<Trans>No comment waits</Trans>}>
          <Trans>Comments that are held or reported appear here.</Trans>
        </EmptyState>
      </Card>
    )
  return (
    <>
      <p>
        <Trans>
          Held: {held} · reported: {reported}
        </Trans>
      </p>
      <div className={styles.cards} {...focus}>
        {items.map((comment) => (
          <CommentCard key={comment.id} comment={comment} />
        ))}
      </div>
    </>
  )
}

/** Comments that are held or reported, the longest waiting first. */
export function CommentQueue() {
  const { t } = useLingui()
  const api = useAdminApi()
  const queue = useQuery({ queryKey: commentsKey, queryFn: () => api.admin.comments.queue() })
  const may = useMay()
  const [isEditing, setEditing] = useState(false)
  return (
    <Page
      title={t`Comments`}
      actions={
        <>
          <Button render={<Link to="/comments/all" />}>
            <Trans>All comments</Trans>
          </Button>
          {may('comments:write') && (
            <Button onClick={() => setEditing(true)}>
              <Trans>Blocked words</Trans>
            </Button>
          )}
        </>
      }
    >
      {isEditing && <BlockedPhrasesDialog onClose={() => setEditing(false)} />}
      <Loaded query={queue}>{(comments) => <Comments {...comments} />}</Loaded>
    </Page>
  )
}
