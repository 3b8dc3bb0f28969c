/** Whether the API sends changes, so that no query has to poll. */
let isLive = false

/** Sets whether the API sends changes from now on. Returns whether it did before. */
export const setLive = (live: boolean): boolean => {
  const before = isLive
  isLive = live
  return before
}

/** Milliseconds until a query polls again; false while the API sends changes. */
export const pollEvery = (milliseconds: number): number | false => (isLive ? false : milliseconds)
