import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Product } from '#contract/catalog.ts'
import { useDirtyForm } from '~/platform/forms/dirty-forms'
import { useFieldErrors } from '~/platform/forms/validation-errors'
import { useMe } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { TextArea } from '~/ui/text-field'
import { commentsQuery } from '../comments.functions'
import { useCommentWrites } from '../use-comment-writes'
import { CommentItem } from './comment-item'
import styles from './comment-section.module.css'

const longest = 1000
/** From here on it is worth saying how much room is left. */
const nearEnd = 850

interface CommentFormProps {
  label: ReactNode
  action: ReactNode
  initial?: string
  /** Rejects where the server refuses: the words stay. */
  onSend: (body: string) => Promise<unknown>
  onCancel?: () => void
}

/** Writes a comment or a reply, or changes one. */
export function CommentForm({ label, action, initial = '', onSend, onCancel }: CommentFormProps) {
  const { t } = useLingui()
  const [body, setBody] = useState(initial)
  const [pending, setPending] = useState(false)
  const [failed, setFailed] = useState(false)
  const [refused] = useFieldErrors('body')
  const typed = body.trim()
  const left = longest - body.length
  useDirtyForm(typed !== initial.trim() && !pending)

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (!typed || pending) return
    setPending(true)
    setFailed(false)
    try {
      await onSend(typed)
      setBody('')
    } catch {
      setFailed(true)
    } finally {
      setPending(false)
    }
  }

  return (
    <form className={styles.form} onSubmit={send}>
      <TextArea
        label={label}
        rows={onCancel ? 2 : 3}
        value={body}
        maxLength={longest}
        autoFocus={Boolean(onCancel)}
        onChange={(event) => setBody(event.target.value)}
        hint={body.length > nearEnd ? t`${left} characters left` : undefined}
        error={
          failed ? (refused ?? t`Couldn’t post your comment. Your text is saved, so you can try again.`) : undefined
        }
      />
      <div className={styles.formButtons}>
        {onCancel && (
          <Button variant="ghost" size="s" onClick={onCancel}>
            <Trans>Cancel</Trans>
          </Button>
        )}
        <Button type="submit" size="s" variant={onCancel ? 'secondary' : 'primary'} loading={pending} disabled={!typed}>
          {action}
        </Button>
      </div>
    </form>
  )
}

type CommentedProduct = Pick<Product, 'id' | 'viewer' | 'commentPolicy'>

/** The comments of a product and the form to write one. */
export function CommentSection({ product }: { product: CommentedProduct }) {
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(commentsQuery(product.id))
  const mayWrite = useMayComment(product)
  const comments = data.pages.flatMap(({ items }) => items)
  const total = data.pages[0]?.total ?? 0
  if (product.commentPolicy === 'CLOSED' && total === 0) return null
  return (
    <section aria-labelledby="comments" className={styles.section}>
      <div className={styles.head}>
        <h2 id="comments" className={styles.title}>
          <Trans>Comments</Trans>
        </h2>
        <p className={styles.total} role="status">
          <Plural value={total} _0="No comments yet" one="# comment" other="# comments" />
        </p>
      </div>
      <CommentInvitation product={product} mayWrite={mayWrite} />
      {comments.length === 0 && mayWrite === 'yes' && (
        <EmptyState icon="comment" compact headingLevel="h3" title={<Trans>Be the first to comment</Trans>} />
      )}
      <ul className={styles.list}>
        {comments.map((comment) => (
          <li key={comment.id}>
            <CommentItem productId={product.id} comment={comment} mayReply={mayWrite === 'yes'} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button className={styles.more ?? ''} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          <Trans>Show more comments</Trans>
        </Button>
      )}
    </section>
  )
}

type MayComment = 'yes' | 'sign in' | 'buy first' | 'closed'

function useMayComment({ commentPolicy, viewer }: CommentedProduct): MayComment {
  const member = useMe()
  if (commentPolicy === 'CLOSED') return 'closed'
  if (!member) return 'sign in'
  return commentPolicy === 'BUYERS' && !viewer?.entitled ? 'buy first' : 'yes'
}

function CommentInvitation({ product, mayWrite }: { product: CommentedProduct; mayWrite: MayComment }) {
  const here = useLocation({ select: ({ href }) => href })
  const { post } = useCommentWrites(product.id)
  switch (mayWrite) {
    case 'yes':
      return (
        <CommentForm
          label={<Trans>Your comment</Trans>}
          action={<Trans>Post comment</Trans>}
          onSend={(body) => post.mutateAsync({ body })}
        />
      )
    case 'sign in':
      return (
        <p className={styles.notice}>
          <Trans>
            <Link to="/login" search={{ redirect: here }}>
              Sign in
            </Link>{' '}
            to comment.
          </Trans>
        </p>
      )
    case 'buy first':
      return (
        <p className={styles.notice}>
          <Trans>Only people who bought this title can comment.</Trans>
        </p>
      )
    case 'closed':
      return (
        <p className={styles.notice}>
          <Trans>Comments are closed for this title.</Trans>
        </p>
      )
    default:
      return mayWrite satisfies never
  }
}
