import { Trans, useLingui } from '@lingui/react/macro'
import type { AnalyticsComparison } from '#contract/analytics.ts'
import { useFormat } from '../../platform/format'
import type { AnalyticsSearch } from './analytics.search'

interface ChangeProps {
  now: number
  before: number
  /** What the figure is compared with. */
  compare: AnalyticsSearch['compare']
}

/** How a figure of a range compares with the one of another range. */
export function Change({ now, before, compare = 'before' }: ChangeProps) {
  const { change } = useFormat()
  const { t } = useLingui()
  const none = {
    before: t`None in the previous period`,
    year: t`None a year before`,
    range: t`None in the compared range`,
  } as const satisfies Record<AnalyticsComparison, string>
  if (before === 0) return none[compare]
  // A share of a loss says nothing.
  if (before < 0) return null
  const share = change(now / before - 1)
  if (compare === 'year') return <Trans>{share} from a year before</Trans>
  if (compare === 'range') return <Trans>{share} from the compared range</Trans>
  return <Trans>{share} from the previous period</Trans>
}

/** What the compared range is called, in charts and tables. */
export const useComparedName = (compare: AnalyticsSearch['compare'] = 'before'): string => {
  const { t } = useLingui()
  return { before: t`The previous period`, year: t`A year before`, range: t`The compared range` }[compare]
}
