import { useLingui } from '@lingui/react'
import { useEffect, useMemo, useState } from 'react'
import { formatDate, formatDateTime, formatDuration } from '#contract/dates.ts'
import { fileSize } from '#contract/file-size.ts'
import { type Money, minorDigits, moneyText } from '#contract/money.ts'
import { useSiteSettings } from '~/platform/shell/shell.functions'

const formats = new Map<string, Intl.NumberFormat>()

/** A cached `Intl.NumberFormat`: creating one costs far more than using it. */
function numberFormat(locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(locale, options)
    formats.set(key, format)
  }
  return format
}

const languageNames = new Map<string, Intl.DisplayNames>()

/** Cached by language, because creating it costs far more than using it. */
function languageNamesIn(locale: string): Intl.DisplayNames {
  const names = languageNames.get(locale) ?? new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' })
  languageNames.set(locale, names)
  return names
}

/**
 * Returns the name of a language in the page's language: "ko" is Korean, 한국어 or 韓国語. Undefined for
 * an unknown code.
 */
function languageName(code: string, locale: string): string | undefined {
  try {
    return languageNamesIn(locale).of(code)
  } catch {
    return undefined
  }
}

/** Isolates a code or a number, so that it keeps its order in right-to-left text. */
export const leftToRight = (text: string): string => `\u2066${text}\u2069`

/**
 * Formats an amount with grouped digits, a minus sign and the currency as the language writes it.
 */
export function formatMoney(money: Money, locale: string): string {
  const text = moneyText(money, locale)
  if (!text.startsWith(rightToLeftMark)) return text
  // Right-to-left languages write the currency last: without a mark after it, it would move to the
  // other end of the line. The minus sign stays with its number.
  return text.replace(negativeNumber, (number) => leftToRight(number.slice(1))) + leftToRightMark
}

const rightToLeftMark = '\u200f'
const leftToRightMark = '\u200e'
const negativeNumber = /\u200e-[\p{N}.,٫٬]+/u

/** Formats an amount in the major unit: 12.5 USD is $12.50. */
export const formatMajor = (value: number, currency: string, locale: string): string =>
  formatMoney({ amount: Math.round(value * 10 ** minorDigits(currency)), currency }, locale)

/** Formats a bare number with grouped digits and a minus sign. */
export const formatAmount = (value: number): string =>
  `${value < 0 ? '-' : ''}${String(Math.abs(value)).replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',')}`

/** Formats money, dates and durations in the page's language and the tenant's time zone. */
export function useFormat() {
  const locale = useLingui().i18n.locale
  const { timeZone, dateFormat } = useSiteSettings().base
  return useMemo(
    () => ({
      money: (value: Money) => formatMoney(value, locale),
      date: (iso: string) => formatDate(iso, timeZone, dateFormat),
      dateTime: (iso: string) => formatDateTime(iso, timeZone, dateFormat),
      duration: formatDuration,
      bytes: (count: number) => fileSize(count, locale),
      language: (code: string) => languageName(code, locale),
      number: (value: number, fractionDigits = 0) =>
        numberFormat(locale, fractionDigits ? { minimumFractionDigits: fractionDigits } : {}).format(value),
      /** 0.25 → 25%. */
      percent: (part: number) => numberFormat(locale, { style: 'percent' }).format(part),
      /** −0.33 → −33%, with a typographic minus sign in every language. */
      change: (part: number) => numberFormat(locale, { style: 'percent' }).format(part).replace('-', '−'),
    }),
    [locale, timeZone, dateFormat],
  )
}

interface Deadline {
  until: string
  /** The server's time when it answered; the browser's clock may differ. */
  now: string
  /** When the response arrived, by the browser's clock, in milliseconds. */
  answeredAt: number
}

const second = 1_000

const left = ({ until, now, answeredAt }: Deadline) =>
  Math.max(0, Math.ceil((Date.parse(until) - Date.parse(now) - (Date.now() - answeredAt)) / second))

/** Counts down the whole seconds until a deadline; undefined until the page is hydrated. */
export function useSecondsLeft({ until, now, answeredAt }: Deadline): number | undefined {
  const [seconds, setSeconds] = useState<number>()
  useEffect(() => {
    const tick = () => setSeconds(left({ until, now, answeredAt }))
    tick()
    const timer = setInterval(tick, second)
    return () => clearInterval(timer)
  }, [until, now, answeredAt])
  return seconds
}
