import fc from 'fast-check'

interface Runs {
  /** Runs made when time allows. */
  wanted: number
  /** Runs made in any case, however long they take. */
  min: number
  /** After this time no run beyond `min` is started. */
  milliseconds: number
}

/**
 * Checks a property with as many random inputs as time allows, at least with `min`, and prints
 * their number.
 */
export const checkProperty = async <Given>(property: fc.IAsyncProperty<Given>, { wanted, min, milliseconds }: Runs) => {
  // The time limit leaves a run behind. The next one must not run beside it.
  let running: Promise<unknown> = Promise.resolve()
  const run = property.run.bind(property)
  property.run = (...given) => {
    const result = run(...given)
    running = result.catch(() => undefined)
    return result
  }
  const check = async (parameters: fc.Parameters<Given>) => {
    const details = await fc.check(property, parameters)
    await running
    if (details.failed) throw new Error(await fc.asyncDefaultReportMessage(details), { cause: details.errorInstance })
    console.log(`${details.numRuns} random inputs were checked (seed ${details.seed}).`)
    return details.numRuns
  }
  const checked = await check({
    numRuns: wanted,
    interruptAfterTimeLimit: milliseconds,
    markInterruptAsFailure: false,
  })
  if (checked < min) await check({ numRuns: min - checked })
}
