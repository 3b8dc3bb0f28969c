import { expect, test } from 'vitest'
import { latinKey } from './is-typing'

test('keys of shortcuts are found while Korean or another script is typed', () => {
  expect(latinKey({ key: 'j', code: 'KeyJ' })).toBe('j')
  expect(latinKey({ key: 'K', code: 'KeyK' })).toBe('k')
  expect(latinKey({ key: 'ㅓ', code: 'KeyJ' })).toBe('j')
  expect(latinKey({ key: 'ч', code: 'KeyX' })).toBe('x')
  // An input method has not decided yet.
  expect(latinKey({ key: 'Process', code: 'KeyK' })).toBe('k')
  expect(latinKey({ key: 'Process', code: 'Slash' })).toBe('/')
  expect(latinKey({ key: '/', code: 'Digit7' })).toBe('/')
  // The keys of a Dvorak keyboard are in other places.
  expect(latinKey({ key: 'j', code: 'KeyC' })).toBe('j')
  expect(latinKey({ key: 'Enter', code: 'Enter' })).toBe('Enter')
})
