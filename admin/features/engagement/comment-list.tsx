import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { StoreComment } from '#contract/admin/queues.ts'
import type { CommentId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { classNames } from '~/ui/element'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { lazyPart } from '../../platform/lazy-part'
import { isFiltered, useColumnChoice } from '../../platform/search'
import { useMay } from '../../platform/session'
import { type Column, DataList } from '../../ui/data-list'
import { ExportLink } from '../../ui/export-link'
import form from '../../ui/form.module.css'
import { ListViews } from '../../ui/list-views'
import { Page } from '../../ui/page'
import { Paging } from '../../ui/paging'
import { ProductLink } from '../../ui/product-link'
import { Selectable, Selection } from '../../ui/selection'
import { Loaded } from '../../ui/states'
import { StatusBadge } from '../../ui/status'
import { CommentFilters, commentStates } from './comment-filters'
import styles from './comment-queue.module.css'
import { CommentReasons } from './comment-reasons'
import { ReplyButton, ReplyForm, replyButtonId } from './comment-reply'
import { commentsCountQuery, commentsQuery } from './comments.queries'
import { parseCommentsSearch } from './comments.search'
import { type ReadComment, useDecisions } from './use-decisions'

const route = getRouteApi('/comments/all')

const CommentsDialog = lazyPart(async () => ({ default: (await import('./comments-dialog')).CommentsDialog }))

/** The text, with who has written it and why others have reported it. */
function Text({ comment }: { comment: StoreComment }) {
  const { memberId, author, isReply, body } = comment
  const { t } = useLingui()
  const mayRead = useMay()('members:read')
  const name = memberId === null ? t`The store` : author || t`Account deleted`
  return (
    <div className={styles.text}>
      <p className={styles.body} dir="auto">
        {body ?? '–'}
      </p>
      <p className={styles.about}>
        {memberId && author && mayRead ? (
          <Link to="/members/$id" params={{ id: memberId }}>
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <bdi>{name}</bdi>
        )}
        {isReply && <> · {t`Reply`}</>}
      </p>
      <CommentReasons comment={comment} />
    </div>
  )
}

/** Hides a comment that visitors see, or publishes another one. */
function Decide({ comment }: { comment: StoreComment }) {
  const { publish, hide } = useDecisions(comment)
  const isPending = publish.isPending || hide.isPending
  return comment.state === 'SHOWN' ? (
    <Button size="s" loading={isPending} onClick={() => hide.send(undefined)}>
      <Trans>Hide</Trans>
    </Button>
  ) : (
    <Button size="s" loading={isPending} onClick={() => publish.send(undefined)}>
      <Trans>Publish</Trans>
    </Button>
  )
}

/** Staff reply to what members have written and visitors see. */
const takesReply = ({ state, memberId }: StoreComment) => state === 'SHOWN' && memberId !== null

/** Which comments have an open form for a reply. */
const useReplies = () => {
  const [open, setOpen] = useState<readonly CommentId[]>([])
  return {
    isOpen: ({ id }: StoreComment) => open.includes(id),
    open: (id: CommentId) => setOpen((before) => [...before, id]),
    close: (id: CommentId) => setOpen((before) => before.filter((each) => each !== id)),
  }
}

/** The columns beside the text. */
const useColumns = (replies: ReturnType<typeof useReplies>): Column<StoreComment>[] => {
  const { t } = useLingui()
  const { dateTime } = useFormat()
  const may = useMay()
  return [
    {
      key: 'product',
      header: t`Product`,
      cell: ({ product }) => <ProductLink code={product.code} title={product.title} />,
    },
    { key: 'state', header: t`Status`, cell: ({ state }) => <StatusBadge status={commentStates[state]} /> },
    {
      key: 'date',
      header: t`Date`,
      isExtra: true,
      cell: ({ createdAt }) => <span className={styles.oneLine}>{dateTime(createdAt)}</span>,
    },
    ...(may('audit:read')
      ? [
          {
            key: 'history',
            header: t`History`,
            isExtra: true,
            cell: ({ id }: StoreComment) => (
              <Link to="/audit" search={{ subject: `comment:${id}` }} className={styles.oneLine}>
                <Trans>History</Trans>
              </Link>
            ),
          },
        ]
      : []),
    {
      key: 'decision',
      header: t`Action`,
      atEnd: true,
      cell: (comment) =>
        may('comments:write') &&
        comment.state !== 'DELETED' && (
          <div className={classNames(form.buttons, styles.actions)}>
            <Decide key={comment.id} comment={comment} />
            {takesReply(comment) && !replies.isOpen(comment) && (
              <ReplyButton id={comment.id} isHeld={false} onOpen={() => replies.open(comment.id)} />
            )}
          </div>
        ),
    },
  ]
}

/** The chosen comments, with the text shown when each was chosen, perhaps on another page. */
function useChosenComments(shown: readonly ReadComment[]) {
  const [chosen, setChosen] = useState<readonly ReadComment[]>([])
  const setSelected = (ids: readonly CommentId[]) => {
    const known = [...chosen, ...shown]
    setChosen(ids.flatMap((id) => known.find((each) => each.id === id) ?? []))
  }
  return { chosen, selected: chosen.map(({ id }) => id), setSelected }
}

/** All comments of the store, the latest first. */
export function CommentList() {
  const { t } = useLingui()
  const replies = useReplies()
  const columns = useColumns(replies)
  const isAllowed = useMay()('comments:write')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const choice = useColumnChoice(search, navigate)
  const { cursor: _, ...view } = search
  const api = useAdminApi()
  const comments = useQuery({ ...commentsQuery(api, search), placeholderData: keepPreviousData })
  const { chosen, selected, setSelected } = useChosenComments(comments.data?.items ?? [])
  const [isChanging, setChanging] = useState(false)
  return (
    <Page
      title={t`All comments`}
      actions={
        <>
          <ExportLink list="comments" filters={view} />
          <Button render={<Link to="/comments" />}>
            <Trans>Comments to review</Trans>
          </Button>
        </>
      }
    >
      <ListViews
        list="comments"
        search={view}
        linkTo={(parameters) => (
          <Link to="/comments/all" activeOptions={{ exact: true }} search={parseCommentsSearch(parameters)} />
        )}
        onShow={(parameters) => void navigate({ search: parseCommentsSearch(parameters) })}
      />
      <CommentFilters />
      <Loaded query={comments}>
        {({ items, nextCursor }) => (
          <>
            {isAllowed && items.length > 0 && (
              <Selection
                keys={items.filter(({ state }) => state !== 'DELETED').map(({ id }) => id)}
                selected={selected}
                onSelect={setSelected}
                action={<Plural value={selected.length} one="Change # comment" other="Change # comments" />}
                onAct={() => setChanging(true)}
              />
            )}
            <DataList
              label={t`All comments`}
              choice={choice}
              items={items}
              keyOf={({ id }) => id}
              empty={
                isFiltered(search) ? (
                  <Trans>No comment fits these filters.</Trans>
                ) : (
                  <Trans>What members write about products is listed here.</Trans>
                )
              }
              columns={[
                {
                  key: 'text',
                  isWide: true,
                  header: t`Comment`,
                  cell: (comment) => {
                    const { id, state, body } = comment
                    const title = body?.slice(0, 60) ?? id
                    return (
                      <>
                        <Selectable
                          item={id}
                          label={t`Select: ${title}`}
                          selected={selected}
                          onSelect={isAllowed && state !== 'DELETED' ? setSelected : null}
                        >
                          <Text comment={comment} />
                        </Selectable>
                        {replies.isOpen(comment) && (
                          <div className={styles.reply}>
                            <ReplyForm
                              id={id}
                              editedAt={comment.editedAt}
                              openedBy={replyButtonId(id)}
                              isHeld={false}
                              onClose={() => replies.close(id)}
                            />
                          </div>
                        )}
                      </>
                    )
                  },
                },
                ...columns,
              ]}
              paging={
                <Paging
                  total={{ shown: items.length, count: commentsCountQuery(api, search) }}
                  first={search.cursor && <Link to="/comments/all" search={{ ...search, cursor: undefined }} />}
                  next={nextCursor && <Link to="/comments/all" search={{ ...search, cursor: nextCursor }} />}
                />
              }
            />
          </>
        )}
      </Loaded>
      {isChanging && (
        <CommentsDialog
          comments={chosen}
          onClose={(isDone?: boolean) => {
            setChanging(false)
            if (isDone) setSelected([])
          }}
        />
      )}
    </Page>
  )
}
