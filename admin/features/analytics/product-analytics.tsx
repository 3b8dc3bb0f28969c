import { Trans, useLingui } from '@lingui/react/macro'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { AnalyticsTotals, ProductAnalytics } from '#contract/analytics.ts'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { useFormat } from '../../platform/format'
import { useSearchChange } from '../../platform/search'
import { useMay } from '../../platform/session'
import { Figure, Figures } from '../../ui/figure'
import { LoadedPage, Page, Section } from '../../ui/page'
import { periodIn, useProduct, useRetention } from './analytics.queries'
import type { AnalyticsSearch } from './analytics.search'
import { Change, useComparedName } from './change'
import { ChartNumbers, LazyChart, MetricSelect } from './chart-parts'
import { CsvButton, NumberTable } from './number-table'
import { RangeFilters } from './range-filters'
import { RetentionSection } from './retention-section'

const route = getRouteApi('/analytics/$code')

const metrics = ['views', 'plays', 'playedMinutes', 'finishes'] as const
type Metric = (typeof metrics)[number]

const useMetricNames = () => {
  const { t } = useLingui()
  return {
    views: t`Views`,
    plays: t`Plays`,
    playedMinutes: t`Minutes`,
    finishes: t`Finished`,
  } as const satisfies Record<Metric, string>
}

/** The columns of the figures of a product, a lesson or a period. */
const useColumns = () => {
  const { t } = useLingui()
  const { number, percent } = useFormat()
  const names = useMetricNames()
  return [
    ...metrics.map((key) => ({
      key,
      header: names[key],
      cell: (totals: AnalyticsTotals) => number(Math.round(totals[key])),
    })),
    {
      key: 'rate',
      header: t`Finish rate`,
      cell: ({ finishRate }: AnalyticsTotals) => (finishRate === null ? '–' : percent(finishRate)),
    },
  ]
}

type Period = ProductAnalytics['periods'][number] | undefined

function TimeSection({ analytics, search }: { analytics: ProductAnalytics; search: AnalyticsSearch }) {
  const { t } = useLingui()
  const { number, day } = useFormat()
  const [metric, setMetric] = useState<Metric>('plays')
  const names = useMetricNames()
  const columns = useColumns()
  const { periods, before, product } = analytics
  const compared = useComparedName(search.compare)
  const series = useMemo(
    () => ({
      points: periods.map(({ from }) => from),
      values: periods.map((period) => period[metric]),
      before: periods.map((_, at) => before.periods[at]?.[metric] ?? null),
      beforePoints: periods.map((_, at) => before.periods[at]?.from),
    }),
    [periods, before, metric],
  )
  const name = names[metric]
  const [from, to] = [day(analytics.from), day(analytics.to)]
  return (
    <Section
      title={<Trans>Over time</Trans>}
      actions={
        <CsvButton
          search={search}
          of="plays"
          per={periodIn(search)}
          product={product.code}
          isCompared
          label={t`Save the product’s figures as a CSV file`}
        />
      }
    >
      <MetricSelect names={names} metrics={metrics} value={metric} onChange={setMetric} />
      <LazyChart
        label={t`${name} from ${from} to ${to}. The table below has all values.`}
        series={series}
        comparedName={compared}
        valueText={(value) => number(Math.round(value))}
        pointText={day}
      />
      <ChartNumbers
        label={t`Plays by period`}
        items={Array.from({ length: Math.max(periods.length, before.periods.length) }, (_, at) => ({
          at,
          own: periods[at],
          before: before.periods[at],
        }))}
        keyOf={({ at }) => String(at)}
        columns={[
          { key: 'from', header: t`From`, cell: ({ own }) => (own ? day(own.from) : '–') },
          ...columns.map(({ key, header, cell }) => ({
            key,
            header,
            cell: ({ own }: { own: Period }) => (own ? cell(own) : '–'),
          })),
          { key: 'compared', header: t`Compared from`, cell: ({ before: then }) => (then ? day(then.from) : '–') },
          ...columns.map(({ key, header, cell }) => ({
            key: `${key} before`,
            header: t`${header}, compared`,
            cell: ({ before: then }: { before: Period }) => (then ? cell(then) : '–'),
          })),
        ]}
      />
    </Section>
  )
}

function LessonSection({ parts }: { parts: ProductAnalytics['parts'] }) {
  const { t } = useLingui()
  const columns = useColumns()
  return (
    <Section title={<Trans>By lesson</Trans>}>
      <NumberTable
        label={t`Plays by lesson`}
        items={parts}
        keyOf={({ lesson }) => lesson?.id ?? 'main'}
        columns={[
          {
            key: 'lesson',
            header: t`Lesson`,
            cell: ({ lesson }) =>
              lesson === null ? (
                <Trans>Page and video of the product</Trans>
              ) : (
                <bdi>{lesson.title ?? t`Deleted lesson`}</bdi>
              ),
          },
          ...columns,
        ]}
      />
    </Section>
  )
}

/** How often one product was viewed and played, over time and by lesson, and how far plays went. */
export function ProductAnalyticsPage() {
  const { t } = useLingui()
  const { code } = route.useParams()
  const search = route.useSearch()
  const change = useSearchChange(route.useNavigate())
  const { number, percent } = useFormat()
  const isEditor = useMay()('products:read')
  const names = useMetricNames()
  const figures = useProduct(code, search)
  const retention = useRetention(code, search)
  return (
    <LoadedPage title={t`Analytics`} query={figures}>
      {(analytics) => {
        const { product, total, parts, before } = analytics
        return (
          <Page
            title={product.title}
            actions={
              <>
                <Button icon="arrow-start" render={<Link to="/analytics" search={search} />}>
                  <Trans>All products</Trans>
                </Button>
                {isEditor && (
                  <Button render={<Link to="/products/$code" params={{ code }} />}>
                    <Trans>Edit product</Trans>
                  </Button>
                )}
              </>
            }
          >
            <RangeFilters search={search} change={change} isCompared />
            <Figures label={t`Figures of the product`}>
              {metrics.map((metric) => (
                <Figure
                  key={metric}
                  label={names[metric]}
                  value={number(Math.round(total[metric]))}
                  change={<Change now={total[metric]} before={before.total[metric]} compare={search.compare} />}
                />
              ))}
              {total.finishRate !== null && <Figure label={t`Finish rate`} value={percent(total.finishRate)} />}
            </Figures>
            {total.views + total.plays === 0 ? (
              <EmptyState icon="play" compact headingLevel="h2" title={<Trans>Nothing was watched</Trans>}>
                <Trans>Views and plays are counted within a minute.</Trans>
              </EmptyState>
            ) : (
              <>
                <TimeSection analytics={analytics} search={search} />
                <RetentionSection code={code} search={search} retention={retention} />
                {parts.some(({ lesson }) => lesson !== null) && <LessonSection parts={parts} />}
              </>
            )}
          </Page>
        )
      }}
    </LoadedPage>
  )
}
