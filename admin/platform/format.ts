import { useLingui } from '@lingui/react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { formatDate, formatDateTime, formatDuration } from '#contract/dates.ts'
import { type Money, moneyText } from '#contract/money.ts'
import { type ConsoleApi, useApi } from './client'

export const settingsQuery = (api: ConsoleApi) =>
  queryOptions({
    queryKey: ['settings'],
    queryFn: () => api.tenancy.siteSettings(),
    staleTime: 5 * 60_000,
  })

/** @throws {Error} before the settings are loaded; nothing of the console is shown until then */
export const useSettings = () => {
  const { data } = useQuery(settingsQuery(useApi()))
  if (!data) throw new Error('The settings of the store are not loaded')
  return data
}

/** Formats money, dates and numbers in the console's language and the store's time zone. */
export const useFormat = () => {
  const { locale } = useLingui().i18n
  const { timeZone, dateFormat } = useSettings().base
  return {
    money: (value: Money) => moneyText(value, locale),
    date: (iso: string) => formatDate(iso, timeZone, dateFormat),
    dateTime: (iso: string) => formatDateTime(iso, timeZone, dateFormat),
    duration: formatDuration,
    number: (value: number) => new Intl.NumberFormat(locale).format(value),
    percent: (part: number) => new Intl.NumberFormat(locale, { style: 'percent' }).format(part),
    /** +25%, −10%. */
    change: (part: number) =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' }).format(
        part,
      ),
  }
}
