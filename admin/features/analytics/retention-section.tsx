import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { type ProductRetention, watchedRangeCount } from '#contract/analytics.ts'
import type { ProductCode } from '#contract/ids.ts'
import { EmptyState } from '~/ui/empty-state'
import { Select } from '~/ui/select'
import { useFormat } from '../../platform/format'
import { Section } from '../../ui/page'
import { Loaded } from '../../ui/states'
import type { useRetention } from './analytics.queries'
import type { AnalyticsSearch } from './analytics.search'
import styles from './analytics-page.module.css'
import { ChartNumbers, LazyChart } from './chart-parts'
import { CsvButton } from './number-table'

type Part = ProductRetention['parts'][number]

const keyOf = ({ lesson }: Part) => lesson?.id ?? 'main'

/** The time of a point of a video, or its share where the video is deleted. */
const usePlaceText = ({ durationSeconds }: Part) => {
  const { duration, percent } = useFormat()
  return (from: number) => (durationSeconds === null ? percent(from) : duration(from * durationSeconds))
}

function Curve({ part }: { part: Part }) {
  const { t } = useLingui()
  const { number, percent } = useFormat()
  const placeText = usePlaceText(part)
  const { plays, retention } = part
  const series = useMemo(
    () => ({
      points: retention.map(({ from }) => String(from)),
      values: retention.map(({ share }) => share),
      before: null,
    }),
    [retention],
  )
  const [halfway, end] = [percent(retention[watchedRangeCount / 2]?.share ?? 0), percent(retention.at(-1)?.share ?? 0)]
  const count = number(plays)
  return (
    <>
      <p className={styles.note}>
        <Trans>
          Counted plays: {count}. {halfway} of them watched the middle, {end} the end.
        </Trans>
      </p>
      <LazyChart
        label={t`Share of plays that watched each part of the video. The table below has all values.`}
        series={series}
        valueText={percent}
        pointText={(point) => placeText(Number(point))}
      />
      <ChartNumbers
        label={t`Retention`}
        items={retention}
        keyOf={({ from }) => String(from)}
        columns={[
          { key: 'from', header: t`From`, cell: ({ from }) => placeText(from) },
          { key: 'plays', header: t`Plays`, cell: ({ plays: some }) => number(some) },
          { key: 'share', header: t`Share`, cell: ({ share }) => percent(share) },
        ]}
      />
    </>
  )
}

interface RetentionSectionProps {
  code: ProductCode
  search: AnalyticsSearch
  /** The page loads it beside the figures, not after them. */
  retention: ReturnType<typeof useRetention>
}

/** How far plays went in each video of a product. */
export function RetentionSection({ code, search, retention }: RetentionSectionProps) {
  const { t } = useLingui()
  const [chosen, setChosen] = useState<string>()
  return (
    <Section
      title={<Trans>Retention</Trans>}
      actions={
        <CsvButton
          search={search}
          of="plays"
          per="retention"
          product={code}
          label={t`Save the retention as a CSV file`}
        />
      }
    >
      <Loaded query={retention}>
        {({ parts, product }) => {
          const part = parts.find((one) => keyOf(one) === chosen) ?? parts[0]
          if (!part)
            return (
              <EmptyState icon="play" compact headingLevel="h3" title={<Trans>No play has been counted</Trans>}>
                <Trans>A play counts after ten seconds, or after 30% of a shorter video.</Trans>
              </EmptyState>
            )
          return (
            <>
              {parts.length > 1 && (
                <div className={styles.metric}>
                  <Select
                    label={t`Video`}
                    size="s"
                    value={keyOf(part)}
                    options={parts.map((one) => ({
                      value: keyOf(one),
                      label: one.lesson === null ? product.title : (one.lesson.title ?? t`Deleted lesson`),
                    }))}
                    onChange={({ target }) => setChosen(target.value)}
                  />
                </div>
              )}
              <Curve key={keyOf(part)} part={part} />
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}
