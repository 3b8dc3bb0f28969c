import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { DataList } from '../../ui/data-list'
import { ExportLink } from '../../ui/export-link'
import { Filters, SearchField } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Paging } from '../../ui/paging'
import { Loaded } from '../../ui/states'
import { BlockedBadge } from './blocked-badge'
import { membersQuery } from './members.queries'

const route = getRouteApi('/members')

/** The members of the store, latest first. */
export function MemberList() {
  const { t } = useLingui()
  const { date, number } = useFormat()
  const may = useMay()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const find = useCallback((q: string) => void navigate({ search: q ? { q } : {}, replace: true }), [navigate])
  const members = useQuery({ ...membersQuery(useAdminApi(), search), placeholderData: keepPreviousData })
  return (
    <Page title={t`Members`} actions={may('members:write') && <ExportLink list="members" filters={{ q: search.q }} />}>
      <Filters>
        <SearchField label={t`Name or email`} value={search.q ?? ''} onSearch={find} />
      </Filters>
      <Loaded query={members}>
        {({ items, nextCursor }) => (
          <DataList
            label={t`Members`}
            items={items}
            keyOf={({ id }) => id}
            empty={<Trans>No member fits this search.</Trans>}
            columns={[
              {
                key: 'email',
                header: t`Email`,
                cell: ({ id, email }) => (
                  <Link to="/members/$id" params={{ id }}>
                    <bdi>{email}</bdi>
                  </Link>
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
        )}
      </Loaded>
    </Page>
  )
}
