/** Milliseconds until code or messages are loaded again that the server did not give. */
export const retryAfter = 30_000

/** Waits for the connection, or for a while where there is one. */
const forAnotherTry = () =>
  new Promise<void>((resolve) => {
    if (navigator.onLine) setTimeout(resolve, retryAfter)
    else window.addEventListener('online', () => resolve(), { once: true })
  })

/** Loads what nothing can be shown without. Tries until it is there. */
export const untilLoaded = async <Loaded>(load: () => Promise<Loaded>): Promise<Loaded> => {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      // biome-ignore lint/suspicious/noConsole: the browser has no other log
      console.error(error)
      await forAnotherTry()
    }
  }
}
