/** Waits until the browser has nothing else to do, but at most for a second. */
export const whenQuiet = (): Promise<void> =>
  new Promise((resolve) => {
    // Not every browser says when it is idle.
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 1_000 })
    else setTimeout(resolve, 200)
  })
