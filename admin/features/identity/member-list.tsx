import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Fragment, useCallback, useState } from 'react'
import type { MemberId } from '#contract/ids.ts'
import { Badge } from '~/ui/chip'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { lazyPart } from '../../platform/lazy-part'
import { isFiltered, useColumnChoice, useSearchChange } from '../../platform/search'
import { useMay } from '../../platform/session'
import { DataList } from '../../ui/data-list'
import { ExportLink } from '../../ui/export-link'
import { ChoiceField, Filters, SearchField } from '../../ui/filters'
import { ListViews } from '../../ui/list-views'
import { Page } from '../../ui/page'
import { Paging } from '../../ui/paging'
import { Selectable, Selection } from '../../ui/selection'
import { Loaded } from '../../ui/states'
import { BlockedBadge } from './blocked-badge'
import { membersQuery, parseMembersSearch, tagsQuery } from './members.queries'

const route = getRouteApi('/members')

const TagDialog = lazyPart(async () => ({ default: (await import('./member-tags')).TagDialog }))

function MemberFilters() {
  const { t } = useLingui()
  const search = route.useSearch()
  const change = useSearchChange(route.useNavigate())
  const find = useCallback((q: string) => change({ q: q || undefined }), [change])
  const { items = [] } = useQuery(tagsQuery(useAdminApi())).data ?? {}
  return (
    <Filters>
      <SearchField label={t`Name or email`} value={search.q ?? ''} onSearch={find} />
      {(items.length > 0 || search.tag) && (
        <ChoiceField
          label={t`Tag`}
          value={search.tag}
          choices={items.map(({ tag, members }) => ({ value: tag, label: `${tag} (${members})` }))}
          onChange={(tag) => change({ tag })}
        />
      )}
    </Filters>
  )
}

/** The members of the store, latest first. */
export function MemberList() {
  const { t } = useLingui()
  const { date, number } = useFormat()
  const may = useMay()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const choice = useColumnChoice(search, navigate)
  const { cursor: _, ...view } = search
  const { columns: _columns, ...filters } = view
  const members = useQuery({ ...membersQuery(useAdminApi(), search), placeholderData: keepPreviousData })
  const [selected, setSelected] = useState<readonly MemberId[]>([])
  const [isTagging, setTagging] = useState(false)
  const isAllowed = may('members:write')
  return (
    <Page title={t`Members`} actions={isAllowed && <ExportLink list="members" filters={filters} />}>
      <ListViews
        list="members"
        search={view}
        linkTo={(parameters) => (
          <Link to="/members" activeOptions={{ exact: true }} search={parseMembersSearch(parameters)} />
        )}
        onShow={(parameters) => void navigate({ search: parseMembersSearch(parameters) })}
      />
      <MemberFilters />
      <Loaded query={members}>
        {({ items, nextCursor }) => (
          <>
            {isAllowed && items.length > 0 && (
              <Selection
                keys={items.map(({ id }) => id)}
                selected={selected}
                onSelect={setSelected}
                action={<Plural value={selected.length} one="Tag # member" other="Tag # members" />}
                onAct={() => setTagging(true)}
              />
            )}
            <DataList
              label={t`Members`}
              choice={choice}
              items={items}
              keyOf={({ id }) => id}
              empty={
                isFiltered(search) ? (
                  <Trans>No member fits this search.</Trans>
                ) : (
                  <Trans>People who create an account at the store are listed here.</Trans>
                )
              }
              columns={[
                {
                  key: 'email',
                  header: t`Email`,
                  cell: ({ id, email }) => (
                    <Selectable
                      item={id}
                      label={t`Select: ${email}`}
                      selected={selected}
                      onSelect={isAllowed ? setSelected : null}
                    >
                      <Link to="/members/$id" params={{ id }}>
                        <bdi>{email}</bdi>
                      </Link>
                    </Selectable>
                  ),
                },
                {
                  key: 'name',
                  header: t`Name`,
                  cell: ({ name, blockedAt }) => (
                    <>
                      <bdi>{name}</bdi> {blockedAt && <BlockedBadge />}
                    </>
                  ),
                },
                {
                  key: 'tags',
                  header: t`Tags`,
                  isExtra: true,
                  cell: ({ tags }) =>
                    tags.map((tag) => (
                      <Fragment key={tag}>
                        <Badge>
                          <bdi>{tag}</bdi>
                        </Badge>{' '}
                      </Fragment>
                    )),
                },
                { key: 'plan', header: t`Plan`, isExtra: true, cell: ({ plan }) => <bdi>{plan ?? '–'}</bdi> },
                { key: 'joined', header: t`Joined`, isExtra: true, cell: ({ createdAt }) => date(createdAt) },
                {
                  key: 'seen',
                  header: t`Last seen`,
                  isExtra: true,
                  cell: ({ lastSeenAt }) => (lastSeenAt ? date(lastSeenAt) : '–'),
                },
                { key: 'orders', header: t`Orders`, isExtra: true, atEnd: true, cell: ({ orders }) => number(orders) },
              ]}
              paging={
                <Paging
                  first={search.cursor && <Link to="/members" search={{ ...search, cursor: undefined }} />}
                  next={nextCursor && <Link to="/members" search={{ ...search, cursor: nextCursor }} />}
                />
              }
            />
          </>
        )}
      </Loaded>
      {isTagging && (
        <TagDialog
          ids={selected}
          onClose={() => {
            setTagging(false)
            setSelected([])
          }}
        />
      )}
    </Page>
  )
}
