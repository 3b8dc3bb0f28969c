import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { CaseId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Card } from '~/ui/card'
import { EmptyState } from '~/ui/empty-state'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { ExportLink } from '../../ui/export-link'
import { Filters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Paging } from '../../ui/paging'
import { Rows } from '../../ui/rows'
import { Loaded } from '../../ui/states'
import { TextForm } from '../../ui/text-form'
import { casesCountQuery, casesQuery } from './support.queries'

const route = getRouteApi('/cases')

const types = {
  INQUIRY: msg`Inquiry`,
  WITHDRAWAL: msg`Account deletion`,
  ORDER_CANCEL: msg`Refund request`,
  CUSTOM: msg`Other`,
} as const
const orderKinds = {
  CANCEL_REQUEST: msg`Refund request`,
  UNAPPLIED_PAYMENT: msg`Unapplied payment`,
  REFUND_REFUSED: msg`Refused refund`,
  CHARGE_REFUND_REFUSED: msg`Refused refund`,
  DEPOSIT_REVERSED: msg`Deposit reversed`,
} as const

function CloseForm({ id, onDone }: { id: CaseId; onDone: () => void }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const close = useWrite((note: string) => api.admin.cases.close({ id, note }), {
    done: t`Case closed`,
    changes: [['cases'], ['home']],
    onDone,
  })
  return (
    <TextForm
      label={t`How was it resolved?`}
      hint={t`Only staff read it.`}
      name="note"
      rows={2}
      maxLength={500}
      write={close}
      submit={<Trans>Close case</Trans>}
      variant="primary"
      size="s"
      onBack={onDone}
      openedBy={`close-${id}`}
    />
  )
}

/** Cases of all kinds, the oldest first. Inquiries and refund requests close by their decision. */
export function CaseList() {
  const { t, i18n } = useLingui()
  const { dateTime } = useFormat()
  const may = useMay()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const api = useAdminApi()
  const cases = useQuery(casesQuery(api, search))
  const [closing, setClosing] = useState<CaseId>()
  return (
    <Page title={t`Cases`} actions={<ExportLink list="cases" filters={{ status: search.status }} />}>
      <Filters>
        <Select
          label={t`Status`}
          value={search.status ?? 'WAIT'}
          options={[
            { value: 'WAIT', label: t`Open` },
            { value: 'COMPLETE', label: t`Closed` },
          ]}
          onChange={({ target }) =>
            void navigate({ search: target.value === 'COMPLETE' ? { status: 'COMPLETE' } : {}, replace: true })
          }
        />
      </Filters>
      <Card>
        <Loaded query={cases}>
          {({ items, nextCursor }) =>
            items.length === 0 ? (
              <EmptyState icon="check" compact title={<Trans>No cases</Trans>}>
                {search.status === 'COMPLETE' ? (
                  <Trans>Cases that are closed are listed here.</Trans>
                ) : (
                  <Trans>What needs a decision of staff is listed here: refund requests, payments, inquiries.</Trans>
                )}
              </EmptyState>
            ) : (
              <>
                <Rows
                  items={items.map(
                    ({ id, type, status, orderKind, subject, email, memberId, order, closable, createdAt }) => ({
                      key: id,
                      title: (
                        <>
                          {i18n._(orderKind ? orderKinds[orderKind] : types[type])} · <bdi>{subject}</bdi>
                        </>
                      ),
                      detail:
                        closing === id ? (
                          <CloseForm id={id} onDone={() => setClosing(undefined)} />
                        ) : (
                          <>
                            {email && (
                              <>
                                {memberId && may('members:read') ? (
                                  <Link to="/members/$id" params={{ id: memberId }}>
                                    <bdi>{email}</bdi>
                                  </Link>
                                ) : (
                                  <bdi>{email}</bdi>
                                )}
                                {' · '}
                              </>
                            )}
                            {dateTime(createdAt)}
                            {order && may('orders:read') && (
                              <>
                                {' · '}
                                <Link to="/orders/$code" params={{ code: order }}>
                                  {order}
                                </Link>
                                {orderKind === 'UNAPPLIED_PAYMENT' && status === 'WAIT' && (
                                  <>
                                    {' · '}
                                    <Link to="/deposits">
                                      <Trans>Deposits</Trans>
                                    </Link>
                                  </>
                                )}
                              </>
                            )}
                          </>
                        ),
                      end: closable && closing !== id && may('inquiries:write') && (
                        <Button id={`close-${id}`} size="s" onClick={() => setClosing(id)}>
                          <Trans>Close</Trans>
                        </Button>
                      ),
                    }),
                  )}
                />
                <Paging
                  total={{ shown: items.length, count: casesCountQuery(api, search) }}
                  first={search.cursor && <Link to="/cases" search={{ ...search, cursor: undefined }} />}
                  next={nextCursor && <Link to="/cases" search={{ ...search, cursor: nextCursor }} />}
                />
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  )
}
