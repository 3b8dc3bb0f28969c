import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { costOfRemainder, creditOf, periodEnd } from './plans.ts'

const zones = ['Asia/Seoul', 'Europe/Lisbon', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC'] as const

const follow = (start: string, cycle: 'MONTH' | 'YEAR', anchor: number, zone: string, times: number) => {
  const ends: string[] = []
  let at = new Date(start)
  for (let time = 0; time < times; time++) {
    at = periodEnd(at, cycle, anchor, zone)
    ends.push(at.toISOString())
  }
  return ends
}

describe('a period', () => {
  test('from the 31st ends on the last day of a shorter month, and on the 31st again after it', () => {
    // 10:00 in Seoul.
    expect(follow('2026-01-31T01:00:00.000Z', 'MONTH', 31, 'Asia/Seoul', 4)).toEqual([
      '2026-02-28T01:00:00.000Z',
      '2026-03-31T01:00:00.000Z',
      '2026-04-30T01:00:00.000Z',
      '2026-05-31T01:00:00.000Z',
    ])
  })

  test('of a year from 29 February ends on 29 February again in the next leap year', () => {
    expect(follow('2028-02-29T12:00:00.000Z', 'YEAR', 29, 'UTC', 4)).toEqual([
      '2029-02-28T12:00:00.000Z',
      '2030-02-28T12:00:00.000Z',
      '2031-02-28T12:00:00.000Z',
      '2032-02-29T12:00:00.000Z',
    ])
  })

  test('counts days in the store’s time zone, and keeps the time of day over a change of daylight-saving time', () => {
    // 23:30 on 30 January in New York is 31 January in UTC.
    expect(follow('2026-01-31T04:30:00.000Z', 'MONTH', 30, 'America/New_York', 3)).toEqual([
      '2026-03-01T04:30:00.000Z',
      '2026-03-31T03:30:00.000Z',
      '2026-05-01T03:30:00.000Z',
    ])
  })

  test('is a month or a year long, whatever day it begins on, and later periods keep that day', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
        fc.constantFrom(...zones),
        fc.constantFrom('MONTH' as const, 'YEAR' as const),
        (start, zone, cycle) => {
          const local = (time: Date) =>
            new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(time).split('-').map(Number)
          const anchor = local(start)[2]!
          let at = start
          for (let time = 1; time <= 14; time++) {
            const next = periodEnd(at, cycle, anchor, zone)
            const days = (next.getTime() - at.getTime()) / dayMilliseconds
            expect(days).toBeGreaterThan(cycle === 'YEAR' ? 363 : 26)
            expect(days).toBeLessThan(cycle === 'YEAR' ? 368 : 33)
            const [year, month, on] = local(next) as [number, number, number]
            expect(on).toBe(Math.min(anchor, new Date(Date.UTC(year, month, 0)).getUTCDate()))
            at = next
          }
        },
      ),
      { numRuns: 150 },
    )
  })
})

describe('the rest of a period', () => {
  const money = fc.integer({ min: 0, max: 10_000_000_000 })
  const span = fc
    .tuple(fc.integer({ min: 1, max: 32_000_000_000 }), fc.integer({ min: 0, max: 32_000_000_000 }))
    .map(([length, passed]) => ({ period: { start: 1_700_000_000_000, end: 1_700_000_000_000 + length }, passed }))

  test('is priced in whole minor units, rounded in the member’s favour, and credited up to the paid amount', () => {
    fc.assert(
      fc.property(money, span, (paid, { period, passed }) => {
        const now = period.start + passed
        const credit = creditOf(paid, period, now)
        const cost = costOfRemainder(paid, period, now)
        expect(Number.isSafeInteger(credit) && Number.isSafeInteger(cost)).toBe(true)
        expect(cost).toBeGreaterThanOrEqual(0)
        expect(credit).toBeLessThanOrEqual(paid)
        expect(credit - cost).toBeGreaterThanOrEqual(0)
        expect(credit - cost).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('is the whole amount at the beginning, nothing at the end, and falls in between', () => {
    const period = { start: 0, end: 1000 }
    expect([creditOf(900, period, 0), creditOf(900, period, 1000), creditOf(900, period, 5000)]).toEqual([900, 0, 0])
    expect([costOfRemainder(900, period, 0), costOfRemainder(900, period, 1000)]).toEqual([900, 0])
    expect([creditOf(999, period, 500), costOfRemainder(999, period, 500)]).toEqual([500, 499])
  })
})
