import { afterEach, expect, test, vi } from 'vitest'
import { printRows } from './print.ts'

afterEach(() => vi.restoreAllMocks())

test('columns line up beside Korean and Japanese names, whose letters take two places', () => {
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
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
