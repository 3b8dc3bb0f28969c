const share = (amount: number, part: number, whole: number) => ({
  numerator: BigInt(amount) * BigInt(part),
  denominator: BigInt(Math.max(1, whole)),
})

interface Period {
  start: number
  end: number
}

const leftOf = ({ start, end }: Period, now: number) => Math.min(Math.max(end - now, 0), end - start)

/**
 * What is left of money paid for a period, by the milliseconds of it that are left. Rounded up to the minor unit, in the member's favour.
 */
export const creditOf = (paid: number, period: Period, now: number): number => {
  const { numerator, denominator } = share(paid, leftOf(period, now), period.end - period.start)
  return Number((numerator + denominator - 1n) / denominator)
}

/** What the rest of a period costs at a price for the whole of it. Rounded down to the minor unit, in the member's favour. */
export const costOfRest = (price: number, period: Period, now: number): number => {
  const { numerator, denominator } = share(price, leftOf(period, now), period.end - period.start)
  return Number(numerator / denominator)
}
