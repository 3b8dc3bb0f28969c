import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { ProductOption } from '#contract/catalog.ts'

/** Says what an option gives: for good, or for how many days and from when. */
export function useOptionWords() {
  const { t } = useLingui()
  return ({ type, days, startWithinDays }: Pick<ProductOption, 'type' | 'days' | 'startWithinDays'>): string => {
    if (type === 'OWN') return t`Yours for good`
    const length = plural(days ?? 0, { one: '# day from the first play', other: '# days from the first play' })
    if (!startWithinDays) return length
    const start = plural(startWithinDays, { one: 'start within # day', other: 'start within # days' })
    return t`${length}, ${start}`
  }
}
