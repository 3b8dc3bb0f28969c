import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { ProductOption } from '#contract/catalog.ts'

/** What a rental's name may leave open: for how many days, and from when. Nothing for what is bought for good. */
export function useRentalTerms() {
  const { t } = useLingui()
  return ({ type, days, startWithinDays }: Pick<ProductOption, 'type' | 'days' | 'startWithinDays'>): string | null => {
    if (type === 'OWN') return null
    // Within `t`, so that it is in this page's language: a plural by itself asks an instance that all requests would share.
    const length = t`${plural(days ?? 0, { one: '# day from first play', other: '# days from first play' })}`
    if (!startWithinDays) return length
    const start = t`${plural(startWithinDays, { one: 'start within # day', other: 'start within # days' })}`
    return t`${length}, ${start}`
  }
}
