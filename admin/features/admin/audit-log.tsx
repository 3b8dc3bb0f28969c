import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { isFiltered, useColumnChoice, useSearchChange } from '../../platform/search'
import { useActionName, useActionOptions } from '../../ui/action-names'
import { useChangesText } from '../../ui/audit-fields'
import { useAuditNames } from '../../ui/audit-names'
import { DataList } from '../../ui/data-list'
import { ExportLink } from '../../ui/export-link'
import { ChoiceField, DayRange, Filters, SearchField } from '../../ui/filters'
import { ListViews } from '../../ui/list-views'
import { Page } from '../../ui/page'
import { Paging } from '../../ui/paging'
import { Loaded } from '../../ui/states'
import { auditCountQuery, auditQuery } from './audit.queries'
import { parseAuditSearch } from './audit.search'
import styles from './audit-log.module.css'
import { AuditName, AuditObject } from './audit-object'

const route = getRouteApi('/audit')

/** `object` is the name of the object whose entries alone are shown. */
function AuditFilters({ object }: { object: string | undefined }) {
  const { t } = useLingui()
  const search = route.useSearch()
  const change = useSearchChange(route.useNavigate())
  const byActor = useCallback((actor: string) => change({ actor: actor || undefined }), [change])
  const actions = useActionOptions()
  const names = useAuditNames()
  return (
    <Filters folds>
      <SearchField label={t`Actor, such as kim@example.com`} value={search.actor ?? ''} onSearch={byActor} />
      <ChoiceField
        label={t`Action`}
        value={search.action}
        choices={actions}
        onChange={(action) => change({ action })}
      />
      <DayRange from={search.from} to={search.to} onFrom={(from) => change({ from })} onTo={(to) => change({ to })} />
      {search.subject && (
        <Button variant="outline" iconEnd="close" onClick={() => change({ subject: undefined })}>
          <bdi>{object ?? names.subject(search.subject)}</bdi>
        </Button>
      )}
    </Filters>
  )
}

/** Everything that operators have changed, with the values before and after. */
export function AuditLog() {
  const { t } = useLingui()
  const { dateTime } = useFormat()
  const actionName = useActionName()
  const changesText = useChangesText()
  const names = useAuditNames()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const choice = useColumnChoice(search, navigate)
  const { cursor: _, ...view } = search
  const api = useAdminApi()
  const audit = useQuery({ ...auditQuery(api, search), placeholderData: keepPreviousData })
  return (
    <Page title={t`Audit log`} actions={<ExportLink list="audit" filters={view} />}>
      <ListViews
        list="audit"
        search={view}
        linkTo={(parameters) => (
          <Link to="/audit" activeOptions={{ exact: true }} search={parseAuditSearch(parameters)} />
        )}
        onShow={(parameters) => void navigate({ search: parseAuditSearch(parameters) })}
      />
      <AuditFilters object={audit.data?.items[0]?.about.name ?? undefined} />
      <Loaded query={audit}>
        {({ items, nextCursor }) => (
          <DataList
            label={t`Audit log`}
            choice={choice}
            items={items}
            keyOf={({ id }) => id}
            empty={
              isFiltered(search) ? (
                <Trans>No entry fits these filters.</Trans>
              ) : (
                <Trans>What operators change is listed here.</Trans>
              )
            }
            columns={[
              { key: 'action', header: t`Action`, cell: ({ action }) => actionName(action) },
              {
                key: 'actor',
                header: t`Actor`,
                cell: ({ actor, by }) => <AuditName of={by}>{by.name ?? names.actor(actor)}</AuditName>,
              },
              {
                key: 'subject',
                header: t`Object`,
                cell: ({ subject, about }) => (
                  <AuditObject subject={subject} about={about} isAlone={search.subject !== undefined} />
                ),
              },
              {
                key: 'changes',
                header: t`Changes`,
                isText: true,
                isExtra: true,
                cell: ({ into, ...entry }) => (
                  <span className={styles.changes}>
                    {into && (
                      <>
                        <Trans>
                          Into <AuditName of={into}>{into.name ?? t`a deleted account`}</AuditName>
                        </Trans>
                        {'\n'}
                      </>
                    )}
                    {changesText(entry) || (into ? '' : '–')}
                  </span>
                ),
              },
              { key: 'date', header: t`Date`, atEnd: true, cell: ({ at }) => dateTime(at) },
            ]}
            paging={
              <Paging
                total={{ shown: items.length, count: auditCountQuery(api, search) }}
                first={search.cursor && <Link to="/audit" search={{ ...search, cursor: undefined }} />}
                next={nextCursor && <Link to="/audit" search={{ ...search, cursor: nextCursor }} />}
              />
            }
          />
        )}
      </Loaded>
    </Page>
  )
}
