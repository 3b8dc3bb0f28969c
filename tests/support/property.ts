import fc from 'fast-check'

interface Runs {
  /** As many as a machine with time makes. */
  wanted: number
  /** Fewer prove too little: the test fails. */
  least: number
  /** No new run is begun after so long. */
  milliseconds: number
}

/** Checks a property by so many random lives as time allows, says how many they were, and fails where they were too few. */
export const holds = async <Given>(property: fc.IAsyncProperty<Given>, { wanted, least, milliseconds }: Runs) => {
  const details = await fc.check(property, {
    ...{ numRuns: wanted, interruptAfterTimeLimit: milliseconds, markInterruptAsFailure: false },
  })
  if (details.failed) throw new Error(await fc.asyncDefaultReportMessage(details), { cause: details.errorInstance })
  console.log(`${details.numRuns} of ${wanted} random lives were led (seed ${details.seed}).`)
  if (details.numRuns < least)
    throw new Error(
      `Only ${details.numRuns} random lives were led in ${milliseconds / 1000} s, ${least} are needed: the machine has too much to do.`,
    )
}
