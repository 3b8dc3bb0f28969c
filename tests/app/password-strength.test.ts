import { expect, it } from 'vitest'
import { passwordStrength } from '#contract/password-strength.ts'

it('an empty password has no strength', () => expect(passwordStrength('')).toBeNull())

it.each(['short1!', 'password', 'Password123', 'aaaaaaaaaaaaaaaa', '1234567890', 'abcdefghijkl', 'qwertyqwerty'])(
  'the password %s is weak',
  (password) => expect(passwordStrength(password)).toBe('weak'),
)

it.each(['marquee-se', 'kx9mPq2w', 'Tr0ub4dor&3'])('the password %s has medium strength', (password) =>
  expect(passwordStrength(password)).toBe('medium'),
)

it.each(['correct horse battery staple', 'vK8#qLm2!xZp', '참나무 숲의 오래된 등대'])(
  'the password %s is strong',
  (password) => expect(passwordStrength(password)).toBe('strong'),
)

it('the member’s email and name add little strength', () => {
  const password = 'seoyeon.kim.hangang'
  expect(passwordStrength(password)).toBe('strong')
  expect(passwordStrength(password, ['seoyeon.kim@hangang.example', 'Kim Seoyeon'])).toBe('weak')
})
