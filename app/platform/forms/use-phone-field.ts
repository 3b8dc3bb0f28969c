import type { ChangeEvent } from 'react'
import { useSiteSettings } from '~/platform/shell/shell.functions'

const korea = { prefix: '+82', shape: /^0\d*$/ }

/** Where the groups of a Korean number end, by its prefix. */
const koreanParts = (digits: string): number[] => {
  if (digits.startsWith('02')) return digits.length > 9 ? [2, 6] : [2, 5]
  if (digits.startsWith('050')) return digits.length > 11 ? [4, 8] : [4, 7]
  return digits.startsWith('010') || digits.length > 10 ? [3, 7] : [3, 6]
}

const longestKorean = (digits: string) => (digits.startsWith('02') ? 10 : digits.startsWith('050') ? 12 : 11)

/**
 * Formats a Korean phone number: `01000000000` and `+821000000000` become `010-0000-0000`. Other
 * input stays as typed.
 */
export function formatPhone(typed: string, korean: boolean): string {
  const compact = typed.replaceAll(/[\s().-]/g, '')
  const national = compact.startsWith(korea.prefix) ? `0${compact.slice(3).replace(/^0/, '')}` : compact
  if (!korean || !korea.shape.test(national) || national.length > longestKorean(national)) return typed
  const [first = 0, second = 0] = koreanParts(national)
  return [national.slice(0, first), national.slice(first, second), national.slice(second)].filter(Boolean).join('-')
}

/** Formats while typing at the end, and leaves edits in the middle alone. */
export function formatPhoneInput({ value, selectionEnd }: HTMLInputElement, korean: boolean): string {
  return selectionEnd === null || selectionEnd === value.length ? formatPhone(value, korean) : value
}

/** Whether the store's customers write Korean phone numbers. */
export const usesKoreanPhoneNumbers = (base: { currency: string; timeZone: string }): boolean =>
  base.currency === 'KRW' || base.timeZone === 'Asia/Seoul'

/** The phone number field, formatted as the store's country does. */
export function usePhoneField() {
  const korean = usesKoreanPhoneNumbers(useSiteSettings().base)
  const written = (phone: string) => formatPhone(phone, korean)
  return {
    written,
    input: (value: string, onChange: (value: string) => void) => ({
      name: 'phone',
      type: 'tel',
      autoComplete: 'tel',
      dir: 'ltr',
      placeholder: korean ? '010-0000-0000' : '+00 000 000 000',
      value,
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => onChange(formatPhoneInput(target, korean)),
      onBlur: () => onChange(written(value)),
    }),
  }
}
