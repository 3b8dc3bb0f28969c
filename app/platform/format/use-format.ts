import { useLingui } from '@lingui/react'
import { useMemo } from 'react'
import { formatDate, formatDateTime, formatDuration } from '#contract/dates.ts'
import type { Money } from '#contract/money.ts'
import { useSiteSettings } from '~/platform/shell/shell.queries'
import { formatBytes } from './bytes'
import { formatMoney } from './money'
import { numberFormat } from './number-formats'

/** Money, dates and lengths in the page's language and the tenant's time zone. */
export function useFormat() {
  const locale = useLingui().i18n.locale
  const { timeZone, dateFormat } = useSiteSettings().base
  return useMemo(
    () => ({
      money: (value: Money) => formatMoney(value, locale),
      date: (iso: string) => formatDate(iso, timeZone, dateFormat),
      dateTime: (iso: string) => formatDateTime(iso, timeZone, dateFormat),
      duration: formatDuration,
      bytes: (count: number) => formatBytes(count, locale),
      number: (value: number) => numberFormat(locale).format(value),
      /** 0.25 → 25%. */
      percent: (part: number) => numberFormat(locale, { style: 'percent' }).format(part),
      /** −0.33 → −33%, with the minus sign of typography in every language. */
      change: (part: number) => numberFormat(locale, { style: 'percent' }).format(part).replace('-', '−'),
    }),
    [locale, timeZone, dateFormat],
  )
}
