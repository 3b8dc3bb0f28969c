import type { ChangeEvent } from 'react'
import { formatPhone, formatPhoneInput, usesKoreanPhoneNumbers } from '~/platform/format/phone'
import { useSiteSettings } from '~/platform/shell/shell.queries'

/** A telephone number in a form, as this store's people write theirs. */
export function usePhoneField() {
  const korean = usesKoreanPhoneNumbers(useSiteSettings().base)
  const written = (phone: string) => formatPhone(phone, korean)
  return {
    written,
    /** What the input is given. */
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
