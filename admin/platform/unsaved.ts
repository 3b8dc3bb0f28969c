let forms = 0

/** Says that a form has changes that are not saved. Returns its end. */
export const beginUnsaved = (): (() => void) => {
  forms += 1
  return () => {
    forms -= 1
  }
}

/** Whether a form that is shown has changes that are not saved. */
export const hasUnsaved = (): boolean => forms > 0
