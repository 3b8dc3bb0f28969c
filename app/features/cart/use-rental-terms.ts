import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { ProductOption } from '#contract/catalog.ts'

/** The rental period and start deadline that the option's name may omit. Empty for purchases. */
export function useRentalTerms() {
  const { t } = useLingui()
  return ({ type, days, startWithinDays }: Pick<ProductOption, 'type' | 'days' | 'startWithinDays'>): string | null => {
    if (type === 'OWN') return null
    // Inside `t`, because a plural outside of it would use an instance that all requests share.
    const length = t`${plural(days ?? 0, { one: '# day from first play', other: '# days from first play' })}`
    if (!startWithinDays) return length
    const start = t`${plural(startWithinDays, { one: 'start within # day', other: 'start within # days' })}`
    return t`${length}, ${start}`
  }
}
