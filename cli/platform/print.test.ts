import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { printFacts, printRows } from './print.ts'

let lines: string[] = []

beforeEach(() => {
  lines = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
})
afterEach(() => vi.restoreAllMocks())

test('columns line up beside Korean and Japanese names, whose letters take two places', () => {
  printRows(
    [
      { store: '한강 아카데미', currency: 'KRW' },
      { store: 'オーロラ', currency: 'JPY' },
      { store: 'Aurora', currency: 'USD' },
    ],
    'None.',
  )
  expect(lines).toEqual(['store          currency', '한강 아카데미  KRW', 'オーロラ       JPY', 'Aurora         USD'])
})

test('times are printed in the time zone of the store, which the heading names', () => {
  const placed = new Date('2026-11-21T20:30:00Z')
  const rows = [
    { code: 'A', placed, paid: null },
    { code: 'B', placed, paid: 'never' },
  ]
  printRows(rows, 'None.', 'Asia/Seoul')
  printRows(rows.slice(0, 1), 'None.')
  printFacts({ code: 'A', placed, paid: null }, 'America/New_York')
  expect(lines).toEqual([
    'code  placed (Asia/Seoul)  paid',
    'A     2026-11-22 05:30',
    'B     2026-11-22 05:30     never',
    'code  placed (UTC)      paid',
    'A     2026-11-21 20:30',
    'code    A',
    'placed  2026-11-21 15:30 (America/New_York)',
  ])
})
