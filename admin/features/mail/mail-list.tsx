import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { mailStatus } from '#contract/enumerations.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import { Button } from '~/ui/button'
import { EmailField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { pollEvery } from '../../platform/live-changes'
import { isFiltered, useColumnChoice, useSearchChange } from '../../platform/search'
import { useMay, useMe } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { useBulkStart } from '../../ui/bulk'
import { DataList } from '../../ui/data-list'
import { ExportLink } from '../../ui/export-link'
import { ChoiceField, DayRange, Filters, SearchField } from '../../ui/filters'
import { onSubmit, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog } from '../../ui/form-dialog'
import { ListViews } from '../../ui/list-views'
import { Page } from '../../ui/page'
import { Paging } from '../../ui/paging'
import { Loaded } from '../../ui/states'
import { StatusBadge, statusChoices } from '../../ui/status'
import { mailsCountQuery, mailsQuery } from './mails.queries'
import { parseMailsSearch } from './mails.search'
import { Resend } from './resend'
import { mailStatuses, templateLabels, useFailureText, useTemplateName } from './template-labels'

const route = getRouteApi('/mails')

function TestDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const { email } = useMe()
  const test = useWrite(api.admin.mails.sendTest, { done: t`Test email queued`, changes: [['mails']] })
  return (
    <FormDialog title={<Trans>Send a test email</Trans>} action={<Trans>Send</Trans>} writes={[test]} onClose={onClose}>
      {(id) => (
        <form
          id={id}
          className={form.form}
          onSubmit={onSubmit(({ email: address = '' }) => test.send({ email: address }, { onSuccess: onClose }))}
        >
          <Refusal failure={test.failure} />
          <EmailField
            label={t`Email`}
            hint={t`The list shows whether the email server accepted it.`}
            defaultValue={email}
            autoComplete="email"
            required
            error={test.failure?.fields.email}
          />
        </form>
      )}
    </FormDialog>
  )
}

function MailFilters() {
  const { t, i18n } = useLingui()
  const nameOf = useTemplateName()
  const search = route.useSearch()
  const change = useSearchChange(route.useNavigate())
  const find = useCallback((to: string) => change({ to: to || undefined }), [change])
  const templates = Object.keys(templateLabels).map((value) => ({ value, label: nameOf(value) }))
  return (
    <Filters folds>
      <SearchField label={t`Recipient’s address`} value={search.to ?? ''} onSearch={find} />
      <ChoiceField
        label={t`Status`}
        value={search.status}
        choices={statusChoices(i18n, mailStatus.options, mailStatuses)}
        onChange={(status) => change({ status })}
      />
      <ChoiceField
        label={t`About`}
        value={search.template}
        choices={templates}
        onChange={(template) => change({ template })}
      />
      <DayRange
        from={search.since}
        to={search.until}
        onFrom={(since) => change({ since })}
        onTo={(until) => change({ until })}
      />
    </Filters>
  )
}

/** The emails of the store, latest first. */
export function MailList() {
  const { t } = useLingui()
  const { dateTime } = useFormat()
  const nameOf = useTemplateName()
  const failureText = useFailureText()
  const may = useMay()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const choice = useColumnChoice(search, navigate)
  const { cursor: _, ...view } = search
  const resend = useBulkStart()
  const { cursor: _cursor, columns: _columns, status, ...filters } = search
  const unsent = status === 'FAILED' || status === 'NOT_SENT' ? status : undefined
  const [isTesting, setTesting] = useState(false)
  const api = useAdminApi()
  const mails = useQuery({
    ...mailsQuery(api, search),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => state.data?.items.some(({ status }) => status === 'QUEUED') && pollEvery(3000),
  })
  return (
    <Page
      title={t`Emails`}
      actions={
        <>
          <Button render={<Link to="/suppressed-addresses" />}>
            <Trans>Suppressed addresses</Trans>
          </Button>
          <ExportLink list="mails" filters={view} />
          {may('mails:write') && unsent && (
            <Button
              loading={resend.isPending}
              onClick={() =>
                resend.send({
                  kind: 'MAILS',
                  filters: { ...withoutUndefined(filters), status: unsent },
                  change: {},
                })
              }
            >
              <Trans>Send all that fit again</Trans>
            </Button>
          )}
          {may('mails:write') && (
            <Button onClick={() => setTesting(true)}>
              <Trans>Send a test email</Trans>
            </Button>
          )}
        </>
      }
    >
      <ListViews
        list="mails"
        search={view}
        linkTo={(parameters) => (
          <Link to="/mails" activeOptions={{ exact: true }} search={parseMailsSearch(parameters)} />
        )}
        onShow={(parameters) => void navigate({ search: parseMailsSearch(parameters) })}
      />
      {isTesting && <TestDialog onClose={() => setTesting(false)} />}
      <MailFilters />
      <Loaded query={mails}>
        {({ items, nextCursor }) => (
          <DataList
            label={t`Emails`}
            choice={choice}
            items={items}
            keyOf={({ id }) => id}
            empty={
              isFiltered(search) ? (
                <Trans>No email fits these filters.</Trans>
              ) : (
                <Trans>Emails that the store sends are listed here.</Trans>
              )
            }
            columns={[
              {
                key: 'to',
                header: t`Recipient`,
                cell: ({ id, to }) => (
                  <Link to="/mails/$id" params={{ id }}>
                    <bdi>{to}</bdi>
                  </Link>
                ),
              },
              {
                key: 'status',
                header: t`Status`,
                cell: ({ status }) => <StatusBadge status={mailStatuses[status]} />,
              },
              { key: 'template', header: t`About`, cell: ({ template }) => nameOf(template) },
              {
                key: 'failure',
                header: t`Failure`,
                isText: true,
                isExtra: true,
                cell: (mail) => <bdi>{failureText(mail) ?? '–'}</bdi>,
              },
              { key: 'date', header: t`Date`, isExtra: true, cell: ({ createdAt }) => dateTime(createdAt) },
              {
                key: 'resend',
                header: t`Action`,
                atEnd: true,
                cell: ({ id, status }) =>
                  (status === 'FAILED' || status === 'NOT_SENT') && may('mails:write') ? <Resend id={id} /> : null,
              },
            ]}
            paging={
              <Paging
                total={{ shown: items.length, count: mailsCountQuery(api, search) }}
                first={search.cursor && <Link to="/mails" search={{ ...search, cursor: undefined }} />}
                next={nextCursor && <Link to="/mails" search={{ ...search, cursor: nextCursor }} />}
              />
            }
          />
        )}
      </Loaded>
    </Page>
  )
}
