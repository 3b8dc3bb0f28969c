import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '~/ui/empty-state'
import { useFormat } from '../../platform/format'
import { Section } from '../../ui/page'
import { Loaded } from '../../ui/states'
import { useProducts, useSearches } from './analytics.queries'
import type { AnalyticsSearch } from './analytics.search'
import { CsvButton, NumberTable } from './number-table'

/** What was watched most, and how much of it to the end. */
export function ProductsSection({ search }: { search: AnalyticsSearch }) {
  const { t } = useLingui()
  const { number, percent } = useFormat()
  const products = useProducts(search)
  return (
    <Section
      title={<Trans>Most played</Trans>}
      actions={<CsvButton search={search} of="plays" label={t`Save plays by product as a CSV file`} />}
    >
      <Loaded query={products}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon="play" compact headingLevel="h3" title={<Trans>Nothing was watched</Trans>}>
              <Trans>Views and plays are counted within a minute.</Trans>
            </EmptyState>
          ) : (
            <NumberTable
              label={t`Plays by product`}
              items={items}
              keyOf={({ product }) => product.id}
              columns={[
                {
                  key: 'product',
                  header: t`Product`,
                  cell: ({ product: { code, title } }) => (
                    <Link to="/analytics/$code" params={{ code }} search={search}>
                      <bdi>{title}</bdi>
                    </Link>
                  ),
                },
                { key: 'views', header: t`Views`, cell: ({ views }) => number(views) },
                { key: 'plays', header: t`Plays`, cell: ({ plays }) => number(plays) },
                { key: 'minutes', header: t`Minutes`, cell: ({ playedMinutes }) => number(Math.round(playedMinutes)) },
                { key: 'finishes', header: t`Finished`, cell: ({ finishes }) => number(finishes) },
                {
                  key: 'rate',
                  header: t`Finish rate`,
                  cell: ({ finishRate }) => (finishRate === null ? '–' : percent(finishRate)),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  )
}

/** What visitors looked for and did not find. */
export function SearchesSection({ search }: { search: AnalyticsSearch }) {
  const { t } = useLingui()
  const { number, day } = useFormat()
  const searches = useSearches(search)
  return (
    <Section
      title={<Trans>Searches without a result</Trans>}
      actions={<CsvButton search={search} of="searches" label={t`Save searches without a result as a CSV file`} />}
    >
      <Loaded query={searches}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon="search" compact headingLevel="h3" title={<Trans>Every search found something</Trans>} />
          ) : (
            <NumberTable
              label={t`Searches without a result`}
              items={items}
              keyOf={({ words }) => words}
              columns={[
                { key: 'words', header: t`Words`, cell: ({ words }) => <bdi>{words}</bdi> },
                { key: 'searches', header: t`Searches`, cell: ({ searches: times }) => number(times) },
                { key: 'last', header: t`Last on`, cell: ({ lastDay }) => day(lastDay) },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  )
}
