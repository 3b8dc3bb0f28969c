import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { Button } from '~/ui/button'
import { EmailField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useSearchChange } from '../../platform/search'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'
import { DataList } from '../../ui/data-list'
import { ExportLink } from '../../ui/export-link'
import { Filters, SearchField } from '../../ui/filters'
import { onSubmit, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog, ReasonField } from '../../ui/form-dialog'
import { Page } from '../../ui/page'
import { Paging } from '../../ui/paging'
import { Loaded } from '../../ui/states'
import { suppressedCountQuery, suppressedKey, suppressedQuery } from './mails.queries'

const route = getRouteApi('/suppressed-addresses')
const changes = [suppressedKey]

function SuppressDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const { mails } = useAdminApi().admin
  const suppress = useWrite(mails.suppress, { done: t`Address suppressed`, changes, onClose })
  return (
    <FormDialog
      title={<Trans>Suppress an address</Trans>}
      action={<Trans>Suppress</Trans>}
      writes={[suppress]}
      onClose={onClose}
    >
      {(id) => (
        <form
          id={id}
          className={form.form}
          onSubmit={onSubmit(({ email = '', reason = '' }) => suppress.send({ address: email, reason }))}
        >
          <p>
            <Trans>Nothing more is sent to it, also no receipt and no link to set a password.</Trans>
          </p>
          <Refusal failure={suppress.failure} />
          <EmailField label={t`Email`} autoComplete="off" required error={suppress.failure?.fields.address} />
          <ReasonField failure={suppress.failure} />
        </form>
      )}
    </FormDialog>
  )
}

function ReleaseButton({ address }: { address: string }) {
  const { t } = useLingui()
  const { mails } = useAdminApi().admin
  const release = useWrite(() => mails.release({ address }), {
    done: t`Address released`,
    changes,
    notifiesFailure: true,
  })
  const confirm = useConfirm({
    title: t`Send to ${address} again?`,
    text: <Trans>Emails that were not sent meanwhile can be sent again in the list of emails.</Trans>,
    action: t`Release`,
    onConfirm: () => release.sendAsync(undefined),
  })
  return (
    <>
      <Button size="s" aria-label={t`Release ${address}`} onClick={confirm.ask}>
        <Trans>Release</Trans>
      </Button>
      {confirm.dialog}
    </>
  )
}

/** The addresses that nothing is sent to, latest first. */
export function SuppressedAddresses() {
  const { t } = useLingui()
  const { dateTime, date } = useFormat()
  const isAllowed = useMay()('mails:write')
  const search = route.useSearch()
  const change = useSearchChange(route.useNavigate())
  const find = useCallback((q: string) => change({ q: q || undefined }), [change])
  const api = useAdminApi()
  const addresses = useQuery({ ...suppressedQuery(api, search), placeholderData: keepPreviousData })
  const [isAdding, setAdding] = useState(false)
  return (
    <Page
      title={t`Suppressed addresses`}
      actions={
        <>
          <ExportLink list="suppressed-addresses" filters={{ q: search.q }} />
          {isAllowed && (
            <Button onClick={() => setAdding(true)}>
              <Trans>Suppress an address</Trans>
            </Button>
          )}
        </>
      }
    >
      <p>
        <Trans>
          Nothing is sent to these addresses. One that the email server has refused for good is tried again after 30
          days.
        </Trans>
      </p>
      {isAdding && <SuppressDialog onClose={() => setAdding(false)} />}
      <Filters>
        <SearchField label={t`Start of the address`} value={search.q ?? ''} onSearch={find} />
      </Filters>
      <Loaded query={addresses}>
        {({ items, nextCursor }) => (
          <DataList
            label={t`Suppressed addresses`}
            items={items}
            keyOf={({ address }) => address}
            empty={search.q ? <Trans>No address fits this search.</Trans> : <Trans>No address is suppressed.</Trans>}
            columns={[
              {
                key: 'address',
                header: t`Email`,
                cell: ({ address }) => (
                  <Link to="/mails" search={{ to: address }}>
                    <bdi>{address}</bdi>
                  </Link>
                ),
              },
              {
                key: 'source',
                header: t`By`,
                cell: ({ source }) => (source === 'STAFF' ? <Trans>Staff</Trans> : <Trans>Email server</Trans>),
              },
              {
                key: 'reason',
                isText: true,
                header: t`Reason`,
                isExtra: true,
                cell: ({ reason }) => <bdi>{reason}</bdi>,
              },
              { key: 'since', header: t`Since`, isExtra: true, cell: ({ createdAt }) => dateTime(createdAt) },
              {
                key: 'until',
                header: t`Tried again`,
                cell: ({ until }) => (until ? date(until) : <Trans>Never</Trans>),
              },
              {
                key: 'action',
                header: t`Action`,
                atEnd: true,
                cell: ({ address }) => (isAllowed ? <ReleaseButton address={address} /> : null),
              },
            ]}
            paging={
              <Paging
                total={{ shown: items.length, count: suppressedCountQuery(api, search) }}
                first={search.cursor && <Link to="/suppressed-addresses" search={{ ...search, cursor: undefined }} />}
                next={nextCursor && <Link to="/suppressed-addresses" search={{ ...search, cursor: nextCursor }} />}
              />
            }
          />
        )}
      </Loaded>
    </Page>
  )
}
