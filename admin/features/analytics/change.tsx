import { Trans } from '@lingui/react/macro'
import { useFormat } from '../../platform/format'

/** How a figure of a range compares with the one of the range before. */
export function Change({ now, before }: { now: number; before: number }) {
  const { change } = useFormat()
  if (before === 0) return <Trans>None in the previous period</Trans>
  // A share of a loss says nothing.
  if (before < 0) return null
  return <Trans>{change(now / before - 1)} from the previous period</Trans>
}
