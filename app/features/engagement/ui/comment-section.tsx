import { Plural, Trans } from '@lingui/react/macro'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import type { ProductDetail } from '#contract/product-page.ts'
import { SharedElement } from '~/platform/document/html-parts'
import { useMe, useSiteSettings } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { commentsQuery } from '../comments.functions'
import { useCommentWrites } from '../use-comment-writes'
import { CommentForm } from './comment-form'
import { CommentItem } from './comment-item'
import styles from './comment-section.module.css'

type CommentedProduct = Pick<ProductDetail, 'id' | 'viewer' | 'commentPolicy'>

/** The comments of a product and the form to write one. */
export function CommentSection({ product }: { product: CommentedProduct }) {
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(commentsQuery(product.id))
  const mayWrite = useMayComment(product)
  const isMember = useMe() !== null
  const settings = useSiteSettings()
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
      <SharedElement
        as="ul"
        className={styles.list}
        shown={['comments', product.id, comments, mayWrite === 'yes', isMember, settings]}
      >
        {comments.map((comment) => (
          <li key={comment.id}>
            <CommentItem productId={product.id} comment={comment} mayReply={mayWrite === 'yes'} isMember={isMember} />
          </li>
        ))}
      </SharedElement>
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
  const me = useMe()
  // The form stays after the end of the session, with what was typed.
  const [first] = useState(me)
  const member = me ?? first
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
          draft="comment"
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
