import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { type SubscriptionState, subscriptionState } from '#contract/enumerations.ts'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { isFiltered, useColumnChoice, useSearchChange } from '../../platform/search'
import { useMay } from '../../platform/session'
import { DataList } from '../../ui/data-list'
import { ExportLink } from '../../ui/export-link'
import { ChoiceField, Filters, SearchField } from '../../ui/filters'
import { ListViews } from '../../ui/list-views'
import { Page } from '../../ui/page'
import { Paging } from '../../ui/paging'
import { Loaded } from '../../ui/states'
import { StatusBadge, type Statuses, statusChoices } from '../../ui/status'
import { planNamesQuery, subscriptionsCountQuery, subscriptionsQuery } from './subscriptions.queries'
import { parseSubscriptionsSearch } from './subscriptions.search'

const route = getRouteApi('/subscriptions')

const states = {
  TRIAL: { label: msg`In trial`, tone: 'info' },
  ACTIVE: { label: msg`Active`, tone: 'success' },
  OVERDUE: { label: msg`Overdue`, tone: 'danger' },
  PAUSED: { label: msg`Paused`, tone: 'warning' },
  CANCELLED: { label: msg`Ending`, tone: 'warning' },
  ENDED: { label: msg`Ended`, tone: 'neutral' },
} as const satisfies Statuses<SubscriptionState>

function SubscriptionFilters() {
  const { t, i18n } = useLingui()
  const search = route.useSearch()
  const change = useSearchChange(route.useNavigate())
  const find = useCallback((q: string) => change({ q: q || undefined }), [change])
  const plans = useQuery(planNamesQuery(useAdminApi()))
  return (
    <Filters folds>
      <SearchField label={t`Email`} value={search.q ?? ''} onSearch={find} />
      <ChoiceField
        label={t`Status`}
        value={search.state}
        choices={statusChoices(i18n, subscriptionState.options, states)}
        onChange={(state) => change({ state })}
      />
      <ChoiceField
        label={t`Plan`}
        value={search.plan}
        choices={(plans.data?.items ?? []).map(({ code, name }) => ({ value: code, label: name }))}
        onChange={(plan) => change({ plan })}
      />
      <ChoiceField
        label={t`Sort`}
        isSort
        all={t`Latest first`}
        value={search.sort === 'NEXT_CHARGE' ? search.sort : undefined}
        choices={[{ value: 'NEXT_CHARGE', label: t`Next payment first` }]}
        onChange={(sort) => change({ sort })}
      />
    </Filters>
  )
}

/** The subscriptions of all members. What can be done with one is on the page of its member. */
export function SubscriptionList() {
  const { t } = useLingui()
  const { money, date } = useFormat()
  const may = useMay()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const choice = useColumnChoice(search, navigate)
  const { cursor: _, ...view } = search
  const api = useAdminApi()
  const subscriptions = useQuery({ ...subscriptionsQuery(api, search), placeholderData: keepPreviousData })
  return (
    <Page title={t`Subscriptions`} actions={may('orders:write') && <ExportLink list="subscriptions" filters={view} />}>
      <ListViews
        list="subscriptions"
        search={view}
        linkTo={(parameters) => (
          <Link to="/subscriptions" activeOptions={{ exact: true }} search={parseSubscriptionsSearch(parameters)} />
        )}
        onShow={(parameters) => void navigate({ search: parseSubscriptionsSearch(parameters) })}
      />
      <SubscriptionFilters />
      <Loaded query={subscriptions}>
        {({ items, nextCursor }) => (
          <DataList
            label={t`Subscriptions`}
            choice={choice}
            items={items}
            keyOf={({ id }) => id}
            empty={
              isFiltered(search) ? (
                <Trans>No subscription fits these filters.</Trans>
              ) : (
                <Trans>Members who subscribe to a plan are listed here.</Trans>
              )
            }
            columns={[
              {
                key: 'member',
                header: t`Member`,
                cell: ({ member }) =>
                  member && may('members:read') ? (
                    <Link to="/members/$id" params={{ id: member.id }}>
                      <bdi>{member.email}</bdi>
                    </Link>
                  ) : (
                    <bdi>{member?.email ?? t`Account deleted`}</bdi>
                  ),
              },
              { key: 'state', header: t`Status`, cell: ({ state }) => <StatusBadge status={states[state]} /> },
              { key: 'plan', isText: true, header: t`Plan`, cell: ({ plan }) => <bdi>{plan}</bdi> },
              {
                key: 'next',
                header: t`Next payment`,
                cell: ({ nextCharge, endsAt, state }) => {
                  if (nextCharge) return `${date(nextCharge.at)} · ${money(nextCharge.amount)}`
                  if (!endsAt) return '–'
                  return state === 'ENDED' ? t`Ended on ${date(endsAt)}` : t`Ends on ${date(endsAt)}`
                },
              },
              {
                key: 'failed',
                header: t`Failed payments`,
                isExtra: true,
                cell: ({ overdue }) =>
                  overdue ? [overdue.attempts, overdue.failure].filter((part) => part !== null).join(' · ') : '–',
              },
              { key: 'since', header: t`Since`, isExtra: true, cell: ({ startedAt }) => date(startedAt) },
              {
                key: 'price',
                header: t`Price`,
                isExtra: true,
                atEnd: true,
                cell: ({ price, cycle }) => (cycle === 'YEAR' ? t`${money(price)} a year` : t`${money(price)} a month`),
              },
            ]}
            paging={
              <Paging
                total={{ shown: items.length, count: subscriptionsCountQuery(api, search) }}
                first={search.cursor && <Link to="/subscriptions" search={{ ...search, cursor: undefined }} />}
                next={nextCursor && <Link to="/subscriptions" search={{ ...search, cursor: nextCursor }} />}
              />
            }
          />
        )}
      </Loaded>
    </Page>
  )
}
