import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { InquiryListing } from '#contract/admin/inquiries.ts'
import type { InquiryCode } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { lazyPart } from '../../platform/lazy-part'
import { useColumnChoice, useSearchChange } from '../../platform/search'
import { useMay, useMe } from '../../platform/session'
import { type Column, DataList } from '../../ui/data-list'
import { ExportLink } from '../../ui/export-link'
import { ChoiceField, Filters, SearchField } from '../../ui/filters'
import { ListSelection, useListSelection } from '../../ui/list-selection'
import { ListViews } from '../../ui/list-views'
import { Page } from '../../ui/page'
import { Paging } from '../../ui/paging'
import { Selectable } from '../../ui/selection'
import { Loaded } from '../../ui/states'
import styles from './inquiry-list.module.css'
import { inquiryStatuses } from './inquiry-status'
import { inquiriesCountQuery, inquiriesQuery, inquiryFacetsQuery } from './support.queries'
import { parseInquiriesSearch } from './support.search'
import { useTopicName } from './topics'

const route = getRouteApi('/inquiries')

const AssignDialog = lazyPart(async () => ({ default: (await import('./assign-dialog')).AssignDialog }))

/** The link to an inquiry, on a telephone with what the columns would say. */
function Subject({ inquiry: { code, title, member, type, typeName } }: { inquiry: InquiryListing }) {
  const topicName = useTopicName()
  return (
    <div>
      <Link to="/inquiries/$code" params={{ code }}>
        <bdi>{title}</bdi>
      </Link>
      <span className={styles.about}>
        <bdi>{member.email}</bdi> · <bdi>{topicName(type, typeName)}</bdi>
      </span>
    </div>
  )
}

function InquiryFilters() {
  const { t, i18n } = useLingui()
  const { id } = useMe()
  const topicName = useTopicName()
  const search = route.useSearch()
  const change = useSearchChange(route.useNavigate())
  const find = useCallback((q: string) => change({ q: q || undefined }), [change])
  const findText = useCallback((words: string) => change({ words: words || undefined }), [change])
  const { assignees = [], types = [] } = useQuery(inquiryFacetsQuery(useAdminApi())).data ?? {}
  const others = assignees.filter((person) => person.id !== id)
  return (
    <Filters folds>
      <SearchField label={t`Number or email`} value={search.q ?? ''} onSearch={find} />
      <SearchField label={t`Words of the text`} value={search.words ?? ''} onSearch={findText} isFurther />
      {!search.memberId && (
        <ChoiceField
          label={t`Status`}
          all={i18n._(inquiryStatuses.WAIT.label)}
          value={search.status === 'WAIT' ? undefined : search.status}
          choices={[
            { value: 'COMPLETE' as const, label: i18n._(inquiryStatuses.COMPLETE.label) },
            { value: 'CLOSED' as const, label: i18n._(inquiryStatuses.CLOSED.label) },
            { value: 'ALL' as const, label: t`All` },
          ]}
          onChange={(status) => change({ status })}
        />
      )}
      <ChoiceField
        label={t`Assigned to`}
        value={search.assignee}
        choices={[
          { value: id, label: t`Me` },
          { value: 'NONE' as const, label: t`Nobody` },
          ...others.map((person) => ({ value: person.id, label: person.name })),
        ]}
        onChange={(assignee) => change({ assignee })}
      />
      <ChoiceField
        label={t`Topic`}
        value={search.type}
        choices={types.map(({ code, name }) => ({ value: code, label: topicName(code, name) }))}
        onChange={(type) => change({ type })}
      />
      {search.memberId && (
        <Button variant="outline" iconEnd="close" onClick={() => change({ memberId: undefined })}>
          <Trans>One member</Trans>
        </Button>
      )}
    </Filters>
  )
}

/** The columns beside the subject. */
const useColumns = (): Column<InquiryListing>[] => {
  const { t, i18n } = useLingui()
  const topicName = useTopicName()
  const { dateTime } = useFormat()
  const search = route.useSearch()
  const hasAnyStatus = search.memberId !== undefined || search.status === 'ALL'
  const sinceHeaders = { ALL: t`Last message`, WAIT: t`Waiting since`, COMPLETE: t`Answered at`, CLOSED: t`Closed at` }
  return [
    { key: 'member', header: t`Member`, isExtra: true, cell: ({ member }) => <bdi>{member.email}</bdi> },
    {
      key: 'assignee',
      header: t`Assigned to`,
      isExtra: true,
      cell: ({ assignee }) => <bdi>{assignee?.name ?? '–'}</bdi>,
    },
    {
      key: 'type',
      header: t`Topic`,
      isExtra: true,
      cell: ({ type, typeName }) => <bdi>{topicName(type, typeName)}</bdi>,
    },
    { key: 'code', header: t`Number`, isExtra: true, cell: ({ code }) => code },
    ...(hasAnyStatus
      ? [
          {
            key: 'status',
            header: t`Status`,
            cell: ({ status }: InquiryListing) => i18n._(inquiryStatuses[status].label),
          },
        ]
      : []),
    {
      key: 'since',
      header: sinceHeaders[hasAnyStatus ? 'ALL' : (search.status ?? 'WAIT')],
      atEnd: true,
      cell: ({ updatedAt }) => dateTime(updatedAt),
    },
  ]
}

/** The inquiries of members: those that await an answer, the longest waiting first. */
export function InquiryList() {
  const { t } = useLingui()
  const columns = useColumns()
  const isAllowed = useMay()('inquiries:write')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const choice = useColumnChoice(search, navigate)
  const { cursor: _, ...view } = search
  const isFiltered =
    search.q !== undefined || search.words !== undefined || search.assignee !== undefined || search.type !== undefined
  const api = useAdminApi()
  const inquiries = useQuery({ ...inquiriesQuery(api, search), placeholderData: keepPreviousData })
  const selection = useListSelection<InquiryCode>()
  const { selected, all } = selection
  const { columns: _columns, ...filters } = view
  return (
    <Page
      title={t`Inquiries`}
      actions={
        <>
          <Button render={<Link to="/saved-replies" />}>
            <Trans>Saved replies</Trans>
          </Button>
          <Button render={<Link to="/inquiry-topics" />}>
            <Trans>Topics</Trans>
          </Button>
          <ExportLink list="inquiries" filters={view} />
        </>
      }
    >
      <ListViews
        list="inquiries"
        search={view}
        linkTo={(parameters) => (
          <Link to="/inquiries" activeOptions={{ exact: true }} search={parseInquiriesSearch(parameters)} />
        )}
        onShow={(parameters) => void navigate({ search: parseInquiriesSearch(parameters) })}
      />
      <InquiryFilters />
      <Loaded query={inquiries}>
        {({ items, nextCursor }) => (
          <>
            {isAllowed && (
              <ListSelection
                state={selection}
                keys={items.map(({ code }) => code)}
                hasMore={nextCursor !== null}
                filters={{ kind: 'INQUIRIES', filters }}
                action={<Plural value={selected.length} one="Assign # inquiry" other="Assign # inquiries" />}
              />
            )}
            <DataList
              label={t`Inquiries`}
              choice={choice}
              items={items}
              keyOf={({ code }) => code}
              empty={
                isFiltered || search.status || search.memberId ? (
                  <Trans>No inquiry fits this search.</Trans>
                ) : (
                  <Trans>Every inquiry is answered.</Trans>
                )
              }
              columns={[
                {
                  key: 'title',
                  header: t`Subject`,
                  cell: (inquiry) => {
                    const { code, title } = inquiry
                    return (
                      <Selectable
                        item={code}
                        label={t`Select: ${title}`}
                        selected={selected}
                        onSelect={isAllowed ? selection.select : null}
                      >
                        <Subject inquiry={inquiry} />
                      </Selectable>
                    )
                  },
                },
                ...columns,
              ]}
              paging={
                <Paging
                  total={{ shown: items.length, count: inquiriesCountQuery(api, search) }}
                  first={search.cursor && <Link to="/inquiries" search={{ ...search, cursor: undefined }} />}
                  next={nextCursor && <Link to="/inquiries" search={{ ...search, cursor: nextCursor }} />}
                />
              }
            />
          </>
        )}
      </Loaded>
      {selection.isOpen && (
        <AssignDialog
          codes={selected}
          all={all === undefined ? undefined : { filters, count: all }}
          onClose={selection.close}
        />
      )}
    </Page>
  )
}
