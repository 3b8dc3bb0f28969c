import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ComponentPropsWithRef, Suspense, useState } from 'react'
import type { Comment } from '#contract/engagement.ts'
import type { CommentId, ProductId } from '#contract/ids.ts'
import { useFormat } from '~/platform/format/use-format'
import { withMessages } from '~/platform/i18n/i18n'
import { useDraftOpened } from '~/platform/session/session-change'
import { Avatar } from '~/ui/avatar'
import { Button, IconButton } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { ErrorState } from '~/ui/empty-state'
import { SkeletonText } from '~/ui/skeleton'
import { lazyPart } from '~/ui/visibility'
import { repliesQuery } from '../comments.functions'
import { useCommentWrites } from '../use-comment-writes'
import type { CommentActionsProps } from './comment-actions'
import { CommentForm } from './comment-form'
import styles from './comment-item.module.css'

const load = () => withMessages(import('./comment-actions'))
const CommentActions = lazyPart(() => load().then((m) => m.CommentActions))
const loadAhead = () => void load().catch(() => {})

function MoreButton(props: ComponentPropsWithRef<'button'>) {
  const { t } = useLingui()
  return <IconButton icon="more" size="s" aria-haspopup="menu" {...props} label={t`Comment options`} />
}

/**
 * The menu of a comment. Its code is large, so it loads when its button is pointed at or pressed.
 */
function CommentMenu(props: Omit<CommentActionsProps, 'button'>) {
  const [opened, setOpened] = useState(false)
  if (!opened)
    return (
      <MoreButton
        aria-expanded={false}
        onPointerEnter={loadAhead}
        onFocus={loadAhead}
        onClick={() => setOpened(true)}
      />
    )
  return (
    <Suspense fallback={<MoreButton />}>
      <CommentActions {...props} button={(ref) => <MoreButton ref={ref} />} />
    </Suspense>
  )
}

interface CommentRepliesProps extends Pick<CommentItemProps, 'productId' | 'isMember'> {
  commentId: CommentId
}

/** The replies to a comment, fetched when they are opened. */
function CommentReplies({ productId, commentId, isMember }: CommentRepliesProps) {
  const { t } = useLingui()
  const { data, isError, refetch, isFetching } = useQuery(repliesQuery(productId, commentId))
  if (isError) {
    return (
      <ErrorState
        compact
        headingLevel="h3"
        title={<Trans>We couldn’t load the replies.</Trans>}
        retry={{ label: t`Try again`, onRetry: () => void refetch(), pending: isFetching }}
      />
    )
  }
  if (!data) return <SkeletonText lines={2} />
  return (
    <ul className={styles.replies}>
      {data.map((reply) => (
        <li key={reply.id}>
          <CommentItem productId={productId} comment={reply} mayReply={false} isMember={isMember} />
        </li>
      ))}
    </ul>
  )
}

interface CommentItemProps {
  productId: ProductId
  comment: Comment
  /** Replies are one level deep: a reply has none. */
  mayReply: boolean
  /** Whether the reader is a member, who has a menu. */
  isMember: boolean
}

export function CommentItem({ productId, comment, mayReply, isMember }: CommentItemProps) {
  const [mode, setMode] = useState<'read' | 'edit' | 'reply'>('read')
  const [open, setOpen] = useState(false)
  const { post, edit } = useCommentWrites(productId)
  const { id, body, countOfReplies, parentId } = comment
  const drafts = { edit: `edit ${id}`, reply: `reply ${id}` }
  useDraftOpened(drafts.edit, () => setMode('edit'))
  useDraftOpened(drafts.reply, () => setMode('reply'))
  const read = () => setMode('read')
  const { t } = useLingui()
  // A removed comment shows a placeholder.
  const name = comment.author.name || (body === null ? '' : t`Member`)

  return (
    <article className={styles.comment} id={`comment-${id}`}>
      <Avatar name={name} />
      <div className={styles.content}>
        <CommentHead comment={comment} />
        {mode === 'edit' && body !== null ? (
          <CommentForm
            label={<Trans>Edit your comment</Trans>}
            action={<Trans>Save</Trans>}
            initial={body}
            draft={drafts.edit}
            onSend={(changed) => edit.mutateAsync({ commentId: id, body: changed }).then(read)}
            onCancel={read}
          />
        ) : (
          <p className={body === null ? styles.deleted : styles.body} dir="auto">
            {body ?? removedText(comment)}
          </p>
        )}
        <div className={styles.actions}>
          {mayReply && body !== null && (
            <Button variant="ghost" size="s" onClick={() => setMode('reply')} aria-expanded={mode === 'reply'}>
              <Trans>Reply</Trans>
            </Button>
          )}
          {countOfReplies > 0 && (
            <Button
              variant="ghost"
              size="s"
              iconEnd={open ? 'chevron-up' : 'chevron-down'}
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              <Plural value={countOfReplies} one="# reply" other="# replies" />
            </Button>
          )}
        </div>
        {mode === 'reply' && (
          <CommentForm
            label={<Trans>Your reply to {name}</Trans>}
            action={<Trans>Reply</Trans>}
            draft={drafts.reply}
            onSend={(reply) =>
              post.mutateAsync({ body: reply, parentId: id }).then(() => {
                read()
                setOpen(true)
              })
            }
            onCancel={read}
          />
        )}
        {open && parentId === null && <CommentReplies productId={productId} commentId={id} isMember={isMember} />}
      </div>
      {body !== null && isMember && (
        <CommentMenu productId={productId} comment={comment} onEdit={() => setMode('edit')} />
      )}
    </article>
  )
}

const removedText = ({ state }: Comment) =>
  state === 'HIDDEN' ? <Trans>The store removed this comment.</Trans> : <Trans>This comment was deleted.</Trans>

function CommentHead({ comment }: { comment: Comment }) {
  const format = useFormat()
  const { author, body, createdAt, editedAt, state } = comment
  return (
    <header className={styles.head}>
      {(author.name || body !== null) && (
        <strong className={styles.author} dir="auto">
          {author.name || <Trans>Member</Trans>}
        </strong>
      )}
      {author.mine && (
        <Badge>
          <Trans>You</Trans>
        </Badge>
      )}
      {author.isStore && (
        <Badge tone="accent">
          <Trans>Store</Trans>
        </Badge>
      )}
      <time dateTime={createdAt} className={styles.date}>
        {format.date(createdAt)}
      </time>
      {editedAt && (
        <span className={styles.date}>
          <Trans>Edited</Trans>
        </span>
      )}
      {state === 'HELD' && (
        <Badge tone="warning" icon="clock">
          <Trans>In review</Trans>
        </Badge>
      )}
      {state === 'HIDDEN' && author.mine && (
        <Badge tone="warning" icon="warning">
          <Trans>Hidden by the store</Trans>
        </Badge>
      )}
    </header>
  )
}
