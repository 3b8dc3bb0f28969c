import { formatDate, formatDateTime } from '#contract/dates.ts'
import type { Locale } from '#contract/enumerations.ts'
import { moneyText } from '#contract/money.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import type { Wording } from './template.ts'

/** Amounts and dates as the store's pages show them, in the reader's language and the store's time zone. */
export const wordingOf = (
  locale: Locale,
  { base: { timeZone, dateFormat } }: SiteSettings,
  store: string,
): Wording => ({
  store,
  money: (money) => moneyText(money, locale),
  moment: (iso) => formatDateTime(iso, timeZone, dateFormat),
  day: (iso) => formatDate(iso, timeZone, dateFormat),
})
