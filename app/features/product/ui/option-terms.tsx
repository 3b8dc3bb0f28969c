import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { ProductOption } from '#contract/catalog.ts'

/** What an option gives, in words: for ever, or for how long and until when to begin. */
export function useOptionTerms() {
  const { t } = useLingui()
  return ({ type, days, startWithinDays }: ProductOption): string => {
    if (type === 'OWN') return t`Yours to keep. Watch as often as you like.`
    const length = days ?? 0
    const start = startWithinDays ?? 0
    if (!start) return t`${plural(length, { one: '# day', other: '# days' })} from your first play.`
    return t`${plural(length, { one: '# day', other: '# days' })} from your first play. Begin within ${plural(start, { one: '# day', other: '# days' })}.`
  }
}
