import fc from 'fast-check'

interface Runs {
  /** As many as a machine with time makes. */
  wanted: number
  /** Fewer prove too little: a busy machine makes these in whatever time the test has. */
  least: number
  /** After so long no run beyond the least is begun. */
  milliseconds: number
}

/** Checks a property with as many random inputs as time allows, at least with `least`, and says how many they were. */
export const holds = async <Given>(property: fc.IAsyncProperty<Given>, { wanted, least, milliseconds }: Runs) => {
  const check = async (parameters: fc.Parameters<Given>) => {
    const details = await fc.check(property, parameters)
    if (details.failed) throw new Error(await fc.asyncDefaultReportMessage(details), { cause: details.errorInstance })
    console.log(`${details.numRuns} random inputs were checked (seed ${details.seed}).`)
    return details.numRuns
  }
  const checked = await check({
    numRuns: wanted,
    interruptAfterTimeLimit: milliseconds,
    markInterruptAsFailure: false,
  })
  if (checked < least) await check({ numRuns: least - checked })
}
