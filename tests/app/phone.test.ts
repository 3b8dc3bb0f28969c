import { expect, it } from 'vitest'
import { formatPhone, formatPhoneInput, usesKoreanPhoneNumbers } from '~/platform/forms/use-phone-field'

it.each([
  ['01', '01'],
  ['0101', '010-1'],
  ['010123', '010-123'],
  ['01012345', '010-1234-5'],
  ['01012345678', '010-1234-5678'],
  ['010 1234 5678', '010-1234-5678'],
  ['+821012345678', '010-1234-5678'],
  ['+8201012345678', '010-1234-5678'],
  ['0212345678', '02-1234-5678'],
  ['021234567', '02-123-4567'],
  ['0311234567', '031-123-4567'],
  ['03112345678', '031-1234-5678'],
  ['050712345678', '0507-1234-5678'],
])('a Korean store writes %s as %s', (typed, written) => expect(formatPhone(typed, true)).toBe(written))

it.each(['+1 213 555 0100', '010123456789', '1588', 'call me', ''])('other numbers stay as typed: %s', (typed) =>
  expect(formatPhone(typed, true)).toBe(typed),
)

it('a store outside Korea leaves numbers as typed', () => expect(formatPhone('01012345678', false)).toBe('01012345678'))

it('an edit in the middle of a number is not reformatted', () => {
  const field = (value: string, selectionEnd: number) => ({ value, selectionEnd }) as HTMLInputElement
  expect(formatPhoneInput(field('01012345', 8), true)).toBe('010-1234-5')
  expect(formatPhoneInput(field('0109-1234', 4), true)).toBe('0109-1234')
})

it('Korean numbers are used by currency or time zone', () => {
  expect(usesKoreanPhoneNumbers({ currency: 'KRW', timeZone: 'UTC' })).toBe(true)
  expect(usesKoreanPhoneNumbers({ currency: 'USD', timeZone: 'Asia/Seoul' })).toBe(true)
  expect(usesKoreanPhoneNumbers({ currency: 'USD', timeZone: 'Europe/Lisbon' })).toBe(false)
})
