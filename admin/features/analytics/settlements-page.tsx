import { Trans, useLingui } from '@lingui/react/macro'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { MoneyMethod, Settlements } from '#contract/analytics.ts'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { useFormat } from '../../platform/format'
import { useSearchChange } from '../../platform/search'
import { useMay } from '../../platform/session'
import { ExportLink } from '../../ui/export-link'
import { Figure, Figures } from '../../ui/figure'
import { paymentMethods, recordedMethods } from '../../ui/order-labels'
import { LoadedPage, Page, Section } from '../../ui/page'
import { periodIn, rangeIn, useSettlements } from './analytics.queries'
import styles from './analytics-page.module.css'
import { CsvButton, NumberTable, type NumberTableProps } from './number-table'
import { RangeFilters } from './range-filters'

const route = getRouteApi('/settlements')

const methods = { ...paymentMethods, ...recordedMethods } as const satisfies Record<MoneyMethod, unknown>

type InCurrency = Settlements['currencies'][number]
type Settled = InCurrency['methods'][number]

/** The provider, the way of payment and the sums of a row. */
const useColumns = (currency: string): NumberTableProps<Settled>['columns'] => {
  const { t, i18n } = useLingui()
  const { money, number } = useFormat()
  const amount = (value: number) => money({ amount: value, currency })
  return [
    {
      key: 'provider',
      header: t`Provider`,
      cell: ({ provider }) => (provider === 'manual' ? t`Received by staff` : provider),
    },
    { key: 'method', header: t`Way of payment`, cell: ({ method }) => i18n._(methods[method]) },
    { key: 'payments', header: t`Payments`, cell: ({ payments }) => number(payments) },
    { key: 'paid', header: t`Amount paid`, cell: ({ paid }) => amount(paid) },
    { key: 'refunds', header: t`Refunds`, cell: ({ refunds }) => number(refunds) },
    { key: 'refunded', header: t`Refunded`, cell: ({ refunded }) => amount(refunded) },
    { key: 'net', header: t`Net`, cell: ({ net }) => amount(net) },
  ]
}

function SettlementsIn({ own }: { own: InCurrency }) {
  const { t } = useLingui()
  const { money, day } = useFormat()
  const { currency, total, methods: byMethod, periods } = own
  const columns = useColumns(currency)
  const amount = (value: number) => money({ amount: value, currency })
  return (
    <div className={styles.part}>
      <Figures label={t`Settlements in ${currency}`}>
        <Figure label={t`Amount paid`} value={amount(total.paid)} />
        <Figure label={t`Refunded`} value={amount(total.refunded)} />
        <Figure label={t`Net`} value={amount(total.net)} />
      </Figures>
      {periods.length === 0 ? (
        <EmptyState icon="receipt" compact headingLevel="h2" title={<Trans>No money moved in this range</Trans>} />
      ) : (
        <>
          <Section title={<Trans>By provider</Trans>}>
            <NumberTable
              label={t`Settlements by provider in ${currency}`}
              items={byMethod}
              keyOf={({ provider, method }) => `${provider} ${method}`}
              columns={columns}
            />
          </Section>
          <Section title={<Trans>Over time</Trans>}>
            <NumberTable
              label={t`Settlements by period in ${currency}`}
              items={periods}
              keyOf={({ from, provider, method }) => `${from} ${provider} ${method}`}
              columns={[{ key: 'from', header: t`From`, cell: ({ from }) => day(from) }, ...columns]}
            />
          </Section>
        </>
      )}
    </div>
  )
}

/** What was paid and refunded by day, provider and way of payment. */
export function SettlementsPage() {
  const { t } = useLingui()
  const may = useMay()
  const search = route.useSearch()
  const change = useSearchChange(route.useNavigate())
  const settlements = useSettlements(search)
  return (
    <LoadedPage title={t`Settlements`} query={settlements}>
      {({ currencies }) => (
        <Page
          title={t`Settlements`}
          actions={
            <>
              <Button icon="arrow-start" render={<Link to="/analytics" search={search} />}>
                <Trans>Analytics</Trans>
              </Button>
              <CsvButton
                search={search}
                of="settlements"
                per={periodIn(search)}
                label={t`Save settlements as a CSV file`}
              />
              {may('orders:write') && (
                <ExportLink list="movements" filters={rangeIn(search)}>
                  <Trans>Export all payments and refunds</Trans>
                </ExportLink>
              )}
            </>
          }
        >
          <RangeFilters search={search} periodLabel={t`Over time`} change={change} />
          {currencies.map((own) => (
            <SettlementsIn key={own.currency} own={own} />
          ))}
        </Page>
      )}
    </LoadedPage>
  )
}
