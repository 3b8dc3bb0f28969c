import { expect, test } from 'vitest'
import { expectAnswer, failure, invalidField, isFailure } from './context.ts'

test('a failure is one that was made as such, also with other details, and is sent without its mark', () => {
  const refused = failure('RATE_LIMITED', { retryAfterSeconds: 3 })
  expect(isFailure(refused)).toBe(true)
  expect(isFailure({ ...refused, retryAfterSeconds: 4 })).toBe(true)
  expect(isFailure(invalidField('title', 'Enter a title.'))).toBe(true)
  expect(JSON.parse(JSON.stringify(refused))).toEqual({ failure: 'RATE_LIMITED', retryAfterSeconds: 3 })
})

test('a row with a field of the same name is no failure', () => {
  const charges = [{ failure: null }, { failure: 'CARD_DECLINED' }, { failure: 'NOT_FOUND', errors: {} }]
  const refuse = () => {
    throw new Error('It was refused.')
  }
  for (const charge of charges) {
    expect(isFailure(charge)).toBe(false)
    expect(expectAnswer(charge, refuse)).toBe(charge)
  }
  for (const other of [null, undefined, 'failure', 0, []]) expect(isFailure(other)).toBe(false)
})
