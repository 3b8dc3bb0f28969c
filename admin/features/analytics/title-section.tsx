import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import * as z from 'zod/mini'
import type { TitleRevenue, TitleRevenueSort } from '#contract/analytics.ts'
import { productCode } from '#contract/ids.ts'
import { EmptyState } from '~/ui/empty-state'
import { Select } from '~/ui/select'
import { useFormat } from '../../platform/format'
import { Section } from '../../ui/page'
import { Loaded } from '../../ui/states'
import { useTitleRevenue } from './analytics.queries'
import type { AnalyticsSearch } from './analytics.search'
import { Change } from './change'
import { CsvButton, NumberTable } from './number-table'

type Title = TitleRevenue['items'][number]

const TitleLink = ({ item: { kind, code, title }, search }: { item: Title; search: AnalyticsSearch }) =>
  kind === 'PLAN' ? (
    <bdi>{title}</bdi>
  ) : (
    <Link to="/analytics/$code" params={{ code: z.parse(productCode, code) }} search={search}>
      <bdi>{title}</bdi>
    </Link>
  )

interface TitleSectionProps {
  search: AnalyticsSearch
  change: (part: Partial<AnalyticsSearch>) => void
}

/** What each product and each plan brought in. */
export function TitleSection({ search, change }: TitleSectionProps) {
  const { t } = useLingui()
  const { money, number } = useFormat()
  const titles = useTitleRevenue(search)
  const sorts = {
    paid: t`Amount paid`,
    net: t`Revenue less refunds`,
    refunded: t`Refunded`,
    sales: t`Sales`,
    title: t`Title`,
  } as const satisfies Record<TitleRevenueSort, string>
  const options = (['paid', 'net', 'refunded', 'sales', 'title'] as const).map((value) => ({
    value,
    label: sorts[value],
  }))
  const amount = (value: number, { currency }: Title) => money({ amount: value, currency })
  return (
    <Section
      title={<Trans>Revenue by title</Trans>}
      actions={<CsvButton search={search} of="titles" isCompared label={t`Save revenue by title as a CSV file`} />}
    >
      <Loaded query={titles}>
        {({ items, total }) =>
          items.length === 0 ? (
            <EmptyState icon="receipt" compact headingLevel="h3" title={<Trans>Nothing was sold</Trans>} />
          ) : (
            <>
              <Select
                label={t`Sort by`}
                value={search.sort ?? 'paid'}
                options={options}
                onChange={({ target }) => change({ sort: options.find(({ value }) => value === target.value)?.value })}
              />
              <NumberTable
                label={t`Revenue by title`}
                items={items}
                keyOf={({ kind, code, currency }) => `${kind} ${code} ${currency}`}
                columns={[
                  { key: 'title', header: sorts.title, cell: (item) => <TitleLink item={item} search={search} /> },
                  { key: 'sales', header: sorts.sales, cell: ({ sales }) => number(sales) },
                  { key: 'paid', header: sorts.paid, cell: (item) => amount(item.paid, item) },
                  { key: 'refunded', header: sorts.refunded, cell: (item) => amount(item.refunded, item) },
                  { key: 'net', header: sorts.net, cell: (item) => amount(item.net, item) },
                  {
                    key: 'change',
                    header: t`Change`,
                    cell: ({ net, before }) => <Change now={net} before={before.net} compare={search.compare} />,
                  },
                ]}
              />
              {total > items.length && (
                <p>
                  <Trans>
                    The first {number(items.length)} of {number(total)} titles. The CSV file has all.
                  </Trans>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  )
}
