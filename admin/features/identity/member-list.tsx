import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import type { StoreMemberRow } from '#contract/admin/members.ts'
import type { MemberId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { lazyPart } from '../../platform/lazy-part'
import { isFiltered, useColumnChoice } from '../../platform/search'
import { useMay } from '../../platform/session'
import { SelectAll } from '../../ui/bulk'
import { type Column, DataList } from '../../ui/data-list'
import { ExportLink } from '../../ui/export-link'
import form from '../../ui/form.module.css'
import { ListViews } from '../../ui/list-views'
import { Page } from '../../ui/page'
import { Paging } from '../../ui/paging'
import { Selectable, Selection } from '../../ui/selection'
import { Loaded } from '../../ui/states'
import { BlockedBadge } from './blocked-badge'
import { MemberFilters } from './member-filters'
import { membersCountQuery, membersQuery } from './members.queries'
import { type MembersSearch, parseMembersSearch } from './members.search'

// Loaded when it is opened.
const NewMemberDialog = lazyPart(async () => ({ default: (await import('./new-member')).NewMemberDialog }))

const route = getRouteApi('/members')

const TagDialog = lazyPart(async () => ({ default: (await import('./member-tags')).TagDialog }))

const PartnershipsDialog = lazyPart(async () => ({
  default: (await import('./partnership-dialog')).PartnershipsDialog,
}))

/** The columns beside the address. */
const useColumns = (): Column<StoreMemberRow>[] => {
  const { t } = useLingui()
  const { date, number } = useFormat()
  return [
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
    {
      key: 'plan',
      header: t`Plan`,
      isExtra: true,
      cell: ({ plan, partnershipName }) =>
        [plan, partnershipName].flatMap((name) => (name ? <bdi key={name}>{name} </bdi> : [])),
    },
    { key: 'joined', header: t`Joined`, isExtra: true, cell: ({ createdAt }) => date(createdAt) },
    {
      key: 'seen',
      header: t`Last seen`,
      isExtra: true,
      cell: ({ lastSeenAt }) => (lastSeenAt ? date(lastSeenAt) : '–'),
    },
    { key: 'orders', header: t`Orders`, isExtra: true, atEnd: true, cell: ({ orders }) => number(orders) },
  ]
}

interface AllChosenProps {
  count: number
  onTag: () => void
  onPartnership: () => void
}

/** What is done with all members that fit the filters. */
function AllChosen({ count, onTag, onPartnership }: AllChosenProps) {
  return (
    <div className={form.buttons}>
      <Button size="s" variant="primary" onClick={onTag}>
        <Plural value={count} one="Tag # member" other="Tag # members" />
      </Button>
      <Button size="s" onClick={onPartnership}>
        <Plural value={count} one="Partnership of # member" other="Partnership of # members" />
      </Button>
    </div>
  )
}

function Actions({ view }: { view: Omit<MembersSearch, 'cursor'> }) {
  const navigate = useNavigate()
  const [isNew, setIsNew] = useState(false)
  return (
    <>
      <ExportLink list="members" filters={view} />
      <Button icon="plus" variant="primary" onClick={() => setIsNew(true)}>
        <Trans>New member</Trans>
      </Button>
      {isNew && (
        <NewMemberDialog
          onCreated={({ id }) => void navigate({ to: '/members/$id', params: { id } })}
          onClose={() => setIsNew(false)}
        />
      )}
    </>
  )
}

/** The members of the store. */
export function MemberList() {
  const { t } = useLingui()
  const columns = useColumns()
  const may = useMay()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const choice = useColumnChoice(search, navigate)
  const { cursor: _, ...view } = search
  const api = useAdminApi()
  const members = useQuery({ ...membersQuery(api, search), placeholderData: keepPreviousData })
  const [selected, setSelected] = useState<readonly MemberId[]>([])
  const [dialog, setDialog] = useState<'TAGS' | 'PARTNERSHIP'>()
  const [counted, setCounted] = useState<{ of: string; count: number }>()
  const { columns: _columns, sort: _sort, ...filters } = view
  // Other filters have another number.
  const shown = JSON.stringify(filters)
  const all = counted?.of === shown ? counted.count : undefined
  const target = all === undefined ? undefined : { filters, count: all }
  /** Who goes back keeps the selected members. */
  const onClose = (isDone = false) => {
    setDialog(undefined)
    if (!isDone) return
    setCounted(undefined)
    setSelected([])
  }
  const isAllowed = may('members:write')
  // Nothing is left of a deleted account that could be changed.
  const mayChange = isAllowed && search.state !== 'LEFT'
  return (
    <Page title={t`Members`} actions={isAllowed && <Actions view={view} />}>
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
            {mayChange && items.length > 0 && (
              <Selection
                keys={items.map(({ id }) => id)}
                selected={selected}
                onSelect={setSelected}
                action={<Plural value={selected.length} one="Tag # member" other="Tag # members" />}
                onAct={() => setDialog('TAGS')}
                further={
                  nextCursor && (
                    <SelectAll
                      selection={{ kind: 'MEMBER_TAGS', filters }}
                      onSelect={(count) => setCounted({ of: shown, count })}
                    />
                  )
                }
              >
                <Button size="s" onClick={() => setDialog('PARTNERSHIP')}>
                  <Plural value={selected.length} one="Partnership of # member" other="Partnership of # members" />
                </Button>
              </Selection>
            )}
            {all !== undefined && (
              <AllChosen count={all} onTag={() => setDialog('TAGS')} onPartnership={() => setDialog('PARTNERSHIP')} />
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
                  cell: ({ id, email, withdrawnAt }) =>
                    withdrawnAt ? (
                      <Trans>Account deleted</Trans>
                    ) : (
                      <Selectable
                        item={id}
                        label={t`Select: ${email}`}
                        selected={selected}
                        onSelect={mayChange ? setSelected : null}
                      >
                        <Link to="/members/$id" params={{ id }}>
                          <bdi>{email}</bdi>
                        </Link>
                      </Selectable>
                    ),
                },
                ...columns,
              ]}
              paging={
                <Paging
                  total={{ shown: items.length, count: membersCountQuery(api, search) }}
                  first={search.cursor && <Link to="/members" search={{ ...search, cursor: undefined }} />}
                  next={nextCursor && <Link to="/members" search={{ ...search, cursor: nextCursor }} />}
                />
              }
            />
          </>
        )}
      </Loaded>
      {dialog === 'TAGS' && <TagDialog ids={selected} all={target} onClose={onClose} />}
      {dialog === 'PARTNERSHIP' && <PartnershipsDialog ids={selected} all={target} onClose={onClose} />}
    </Page>
  )
}
