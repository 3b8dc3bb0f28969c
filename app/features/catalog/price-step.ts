const stepsAcross = 20

/**
 * By how much the arrows of a price field move, in the currency's major unit: a round amount (1, 2 or 5 and noughts) that walks from
 * the cheapest to the dearest in some twenty steps, and never less than the smallest coin.
 *
 * @param range the cheapest and the dearest, in the minor unit
 * @param unit how many minor units make a major one: 100 for USD, 1 for KRW
 */
export function priceStep(range: { min: number; max: number }, unit: number): number {
  // In minor units all of it is whole, and no fraction is lost.
  const least = Math.max(1, (range.max - range.min) / stepsAcross)
  const magnitude = 10 ** Math.floor(Math.log10(least))
  const round = [1, 2, 5, 10].find((times) => times * magnitude >= least) ?? 10
  return (round * magnitude) / unit
}
