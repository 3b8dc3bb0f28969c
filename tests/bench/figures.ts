/** Collects what the benchmarks measure, and prints all of it in one table beside the goals. */

interface Goal {
  atMost?: number
  atLeast?: number
}

interface Figure extends Goal {
  name: string
  value: number
  unit: string
  digits: number
}

const figures: Figure[] = []

/** Records a figure. `goal` is in the unit of the figure. */
export const record = (name: string, value: number, unit: string, goal: Goal = {}): void => {
  const digits = value < 10 && unit !== '' ? 2 : 0
  figures.push({ name, value, unit, digits, ...goal })
}

/** Returns the median of a list that is not empty. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const isMet = ({ value, digits, atMost, atLeast }: Figure) => {
  const shown = Number(value.toFixed(digits))
  return shown <= (atMost ?? Number.POSITIVE_INFINITY) && shown >= (atLeast ?? Number.NEGATIVE_INFINITY)
}

const goalOf = ({ atMost, atLeast }: Figure) =>
  atMost !== undefined ? `≤ ${atMost}` : atLeast !== undefined ? `≥ ${atLeast}` : ''

/** Prints all recorded figures. A figure without a goal is there for comparison. */
export const printFigures = (): void => {
  console.log('\nAll figures with a goal, and those to compare with')
  console.table(
    figures.map((figure) => ({
      figure: figure.name,
      measured: `${figure.value.toFixed(figure.digits)} ${figure.unit}`.trim(),
      goal: goalOf(figure),
      met: goalOf(figure) === '' ? '' : isMet(figure) ? 'yes' : 'no',
    })),
  )
  const withGoal = figures.filter((figure) => goalOf(figure) !== '')
  console.log(`${withGoal.filter(isMet).length} of ${withGoal.length} goals are met.`)
}
