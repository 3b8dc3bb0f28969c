export interface PackageProgress {
  step: 'PROBE' | 'ENCODE' | 'PACKAGE'
  /** Of the whole work. */
  percent: number
  /** Null until there is enough to judge by. */
  secondsLeft: number | null
}

/** Where each step ends, in per cent of the whole; measured on films of minutes to hours. */
const ENDS = { PROBE: 4, ENCODE: 98, PACKAGE: 100 } as const
const BEGINS = { PROBE: 0, ENCODE: ENDS.PROBE, PACKAGE: ENDS.ENCODE } as const
/** Judging by less than this promises hours for a minute's work. */
const LEAST_SECONDS = 2

/** Tells how far the work is; never backwards, and the time left by the pace of the step under way. */
export function progressTeller(tell: (progress: PackageProgress) => void) {
  let percent = 0
  let current: PackageProgress['step'] = 'PROBE'
  let begun = performance.now()
  return (step: PackageProgress['step'], part: number) => {
    if (step !== current) {
      current = step
      begun = performance.now()
    }
    const width = ENDS[step] - BEGINS[step]
    percent = Math.max(percent, BEGINS[step] + width * Math.min(1, Math.max(0, part)))
    const elapsed = (performance.now() - begun) / 1000
    const done = percent - BEGINS[step]
    const judged = step === 'ENCODE' && elapsed >= LEAST_SECONDS && done > 0
    tell({ step, percent, secondsLeft: judged ? Math.round((elapsed / done) * (100 - percent)) : null })
  }
}
