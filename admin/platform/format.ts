import { useLingui } from '@lingui/react'
import { formatDate, formatDateTime, formatDuration } from '#contract/dates.ts'
import { fileSize } from '#contract/file-size.ts'
import { type Money, moneyText } from '#contract/money.ts'
import { useSettings } from './settings'

/** Formats money, dates and numbers in the console's language and the store's time zone. */
export const useFormat = () => {
  const { locale } = useLingui().i18n
  const { timeZone, dateFormat } = useSettings().base
  return {
    money: (value: Money) => moneyText(value, locale),
    date: (iso: string) => formatDate(iso, timeZone, dateFormat),
    dateTime: (iso: string) => formatDateTime(iso, timeZone, dateFormat),
    /** A calendar day, which has no time zone. */
    day: (day: string) => formatDate(`${day}T00:00:00Z`, 'UTC', dateFormat),
    duration: formatDuration,
    number: (value: number) => new Intl.NumberFormat(locale).format(value),
    fileSize: (bytes: number) => fileSize(bytes, locale),
    percent: (part: number) => new Intl.NumberFormat(locale, { style: 'percent' }).format(part),
    /** +25%, −10%. */
    change: (part: number) =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' }).format(
        part,
      ),
  }
}
