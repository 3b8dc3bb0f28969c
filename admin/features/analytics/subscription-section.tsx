import { Trans, useLingui } from '@lingui/react/macro'
import type { SubscriptionAnalytics, SubscriptionFigures } from '#contract/analytics.ts'
import { useFormat } from '../../platform/format'
import { Figure, Figures } from '../../ui/figure'
import { Section } from '../../ui/page'
import { Loaded } from '../../ui/states'
import { useSubscriptions } from './analytics.queries'
import type { AnalyticsSearch } from './analytics.search'
import styles from './analytics-page.module.css'
import { Change, useComparedName } from './change'
import { CsvButton, NumberTable } from './number-table'

const useShareText = () => {
  const { percent } = useFormat()
  return (share: number | null) => (share === null ? '–' : percent(share))
}

interface FiguresOfProps extends Pick<SubscriptionAnalytics, 'total' | 'before'> {
  compare: AnalyticsSearch['compare']
}

function FiguresOf({ total, before, compare }: FiguresOfProps) {
  const { t } = useLingui()
  const { money, number } = useFormat()
  const share = useShareText()
  const compared = useComparedName(compare)
  const [churn, conversion] = [share(before.churn), share(before.trialConversion)]
  return (
    <Figures label={t`Subscriptions`}>
      {total.monthlyRevenue.map((amount) => (
        <Figure
          key={amount.currency}
          label={t`Monthly recurring revenue`}
          value={money(amount)}
          change={
            <Change
              now={amount.amount}
              before={before.monthlyRevenue.find(({ currency }) => currency === amount.currency)?.amount ?? 0}
              compare={compare}
            />
          }
        />
      ))}
      <Figure
        label={t`Active subscriptions`}
        value={number(total.active)}
        change={<Change now={total.active} before={before.active} compare={compare} />}
      />
      <Figure label={t`Churn`} value={share(total.churn)} change={before.churn !== null && `${compared}: ${churn}`} />
      <Figure
        label={t`Trials`}
        value={number(total.trialing)}
        change={<Trans>{number(total.trialsStarted)} started in this range</Trans>}
      />
      <Figure
        label={t`Trials that became paid`}
        value={share(total.trialConversion)}
        change={before.trialConversion !== null && `${compared}: ${conversion}`}
      />
    </Figures>
  )
}

const monthly = ({ monthlyRevenue }: SubscriptionFigures, money: ReturnType<typeof useFormat>['money']) =>
  monthlyRevenue.map(money).join(' + ')

/** What subscriptions bring in a month, how many there are, and how many ended. */
export function SubscriptionSection({ search }: { search: AnalyticsSearch }) {
  const { t } = useLingui()
  const { money, number } = useFormat()
  const share = useShareText()
  const subscriptions = useSubscriptions(search)
  return (
    <Loaded query={subscriptions}>
      {({ total, before, plans }) =>
        // A store without subscriptions has none to show.
        plans.length > 0 && (
          <div className={styles.part}>
            <FiguresOf total={total} before={before} compare={search.compare} />
            <Section
              title={<Trans>Subscriptions by plan</Trans>}
              actions={
                <CsvButton search={search} of="subscriptions" isCompared label={t`Save subscriptions as a CSV file`} />
              }
            >
              <NumberTable
                label={t`Subscriptions by plan`}
                items={plans}
                keyOf={({ plan }) => plan.id}
                columns={[
                  { key: 'plan', header: t`Plan`, cell: ({ plan }) => <bdi>{plan.name}</bdi> },
                  { key: 'active', header: t`Active`, cell: ({ active }) => number(active) },
                  { key: 'paused', header: t`Paused`, cell: ({ paused }) => number(paused) },
                  { key: 'trialing', header: t`Trials`, cell: ({ trialing }) => number(trialing) },
                  { key: 'started', header: t`Started`, cell: ({ started }) => number(started) },
                  { key: 'ended', header: t`Ended`, cell: ({ ended }) => number(ended) },
                  { key: 'churn', header: t`Churn`, cell: ({ churn }) => share(churn) },
                  { key: 'monthly', header: t`Monthly recurring revenue`, cell: (figures) => monthly(figures, money) },
                ]}
              />
            </Section>
          </div>
        )
      }
    </Loaded>
  )
}
