import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { CommentId, ProductId } from '#contract/ids.ts'
import { ErrorState } from '~/ui/empty-state'
import { SkeletonText } from '~/ui/skeleton'
import { repliesQuery } from '../comments.queries'
import { CommentItem } from './comment-item'
import styles from './comment-item.module.css'

/** The replies to a comment, fetched when they are wanted. */
export function CommentReplies({ productId, commentId }: { productId: ProductId; commentId: CommentId }) {
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
          <CommentItem productId={productId} comment={reply} mayReply={false} />
        </li>
      ))}
    </ul>
  )
}
