import { expect, test } from 'vitest'
import { readDay, readDuration } from './arguments.ts'

test('a day is read as it is written, and days that no calendar has are refused', () => {
  for (const day of ['2027-03-31', '2028-02-29']) expect(readDay(day)).toBe(day)
  for (const text of ['2027-02-29', '2027-02-31', '2027-13-01', '27-03-31', '2027-3-31', '2027-03-31T00:00', ''])
    expect(() => readDay(text), text).toThrow('Enter a day, for example 2027-03-31.')
})

test('a duration is read in milliseconds', () => {
  expect(['90m', '12h', '2d'].map(readDuration)).toEqual([5_400_000, 43_200_000, 172_800_000])
  for (const text of ['2', 'd', '2w', '-1d', '1.5h']) expect(() => readDuration(text), text).toThrow('Enter minutes')
})
