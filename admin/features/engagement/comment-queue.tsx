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
import { useWrite } from '../../platform/use-write'
import form from '../../ui/form.module.css'
import { Page } from '../../ui/page'
import { Loaded } from '../../ui/states'
import { TextForm } from '../../ui/text-form'
import styles from './comment-queue.module.css'
import { CommentReasons } from './comment-reasons'
import { commentsKey } from './comments.queries'

const BlockedPhrasesDialog = lazyPart(async () => ({
  default: (await import('./blocked-phrases')).BlockedPhrasesDialog,
}))

type Comment = z.output<typeof commentQueue>['items'][number]

/** Answers a comment in the store's name. */
function Reply({ id, onDone }: { id: Comment['id']; onDone: () => void }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const reply = useWrite((body: string) => api.admin.comments.reply({ id, body }), {
    done: t`Reply published`,
    changes: [commentsKey, ['home']],
    onDone,
  })
  return (
    <TextForm
      label={t`Reply`}
      hint={t`Everyone reads it, in the store’s name.`}
      name="body"
      rows={3}
      maxLength={1000}
      write={reply}
      submit={<Trans>Publish reply</Trans>}
      variant="primary"
      size="s"
      onBack={onDone}
      openedBy={`reply-${id}`}
    />
  )
}

function Actions({ comment: { id }, onReply }: { comment: Comment; onReply: () => void }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const options = { changes: [commentsKey, ['home']], notifiesFailure: true }
  const approve = useWrite(() => api.admin.comments.approve({ id }), { done: t`Comment published`, ...options })
  const hide = useWrite(() => api.admin.comments.hide({ id }), { done: t`Comment hidden`, ...options })
  return (
    <div className={form.buttons}>
      <Button size="s" variant="primary" loading={approve.isPending} onClick={() => approve.send(undefined)}>
        <Trans>Approve</Trans>
      </Button>
      <Button size="s" loading={hide.isPending} onClick={() => hide.send(undefined)}>
        <Trans>Hide</Trans>
      </Button>
      <Button id={`reply-${id}`} size="s" variant="ghost" onClick={onReply}>
        <Trans>Reply</Trans>
      </Button>
    </div>
  )
}

function CommentCard({ comment }: { comment: Comment }) {
  const { dateTime } = useFormat()
  const may = useMay()
  const [isReplying, setReplying] = useState(false)
  const { author, body, productCode, createdAt, heldPhrase, reports } = comment
  return (
    <Card className={styles.comment}>
      <p className={styles.about}>
        <bdi>{author}</bdi> · <a href={`/products/${productCode}`}>{productCode}</a> · {dateTime(createdAt)}
      </p>
      <p className={styles.body} dir="auto">
        {body}
      </p>
      <CommentReasons heldPhrase={heldPhrase} reports={reports} />
      {may('comments:write') &&
        (isReplying ? (
          <Reply id={comment.id} onDone={() => setReplying(false)} />
        ) : (
          <Actions comment={comment} onReply={() => setReplying(true)} />
        ))}
    </Card>
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
      <Loaded query={queue}>
        {({ items, held, reported }) =>
          items.length === 0 ? (
            <Card>
              <EmptyState icon="check" compact title={<Trans>No comment waits</Trans>}>
                <Trans>Comments that are held or reported appear here.</Trans>
              </EmptyState>
            </Card>
          ) : (
            <>
              <p>
                <Trans>
                  Held: {held} · reported: {reported}
                </Trans>
              </p>
              {items.map((comment) => (
                <CommentCard key={comment.id} comment={comment} />
              ))}
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
