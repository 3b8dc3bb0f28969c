/** Whether the API tells of changes, so that nothing has to be asked for again and again. */
let isLive = false

/** Says whether the API tells of changes from now on. Returns whether it did before. */
export const setLive = (live: boolean): boolean => {
  const before = isLive
  isLive = live
  return before
}

/** Milliseconds until a query asks again; false while the API tells of changes by itself. */
export const pollEvery = (milliseconds: number): number | false => (isLive ? false : milliseconds)
