import { expect, test } from 'vitest'
import { planCode } from '#contract/ids.ts'
import type { Plan } from '#contract/subscriptions.ts'
import { counterpartOf, isRecommended, yearlySaving } from '~/features/subscriptions/ui/plan-card'

const plan = ({
  code = 'pass',
  ...more
}: Partial<Omit<Plan, 'code'>> & { code?: string; price?: { amount: number; currency: string } }) =>
  ({
    scope: 'ALL',
    streams: 2,
    productCount: 40,
    categories: [],
    cycle: 'MONTH',
    recommended: false,
    ...more,
    code: planCode.parse(code),
  }) as Plan
const usd = (amount: number) => ({ amount, currency: 'USD' })
const pass = plan({ code: 'pass', price: usd(599), recommended: true })
const house = plan({ code: 'house', price: usd(999), streams: 4 })
const year = plan({ code: 'pass-year', price: usd(5990), cycle: 'YEAR' })

test('the yearly saving is calculated against twelve months of the plan with the same products', () => {
  expect(counterpartOf(year, [pass, house, year])?.code).toBe('pass')
  expect(yearlySaving(year, [pass, house, year])).toBe(0.16)
  expect(yearlySaving(pass, [pass, house, year])).toBe(0)
})

test('there is no yearly saving without one counterpart or with a higher price', () => {
  expect(yearlySaving(year, [house, year])).toBe(0)
  expect(yearlySaving(year, [pass, { ...pass, code: planCode.parse('twin') }, year])).toBe(0)
  expect(yearlySaving({ ...year, price: usd(9000) }, [pass, year])).toBe(0)
  expect(yearlySaving({ ...year, price: { amount: 5990, currency: 'EUR' } }, [pass, year])).toBe(0)
})

test('the yearly counterpart of the recommended plan is recommended, unless another yearly plan is marked', () => {
  expect(isRecommended(year, [pass, house, year])).toBe(true)
  expect(isRecommended(house, [pass, house, year])).toBe(false)
  const marked = plan({ code: 'house-year', price: usd(9990), streams: 4, cycle: 'YEAR', recommended: true })
  expect(isRecommended(year, [pass, house, year, marked])).toBe(false)
})
