const memory = 'marquee:chunk-reload'

const chunkWords =
  /dynamically imported module|importing a module script failed|unable to preload css|failed to fetch module/i

/** Whether an error says that a part of the program is no longer where it was. */
export const isChunkError = (error: unknown): boolean => error instanceof Error && chunkWords.test(error.message)

/** Loads the target anew, once: if its parts are still missing then, a reload does not help and the error is shown. */
export function reloadOnce(target: string): boolean {
  if (sessionStorage.getItem(memory) === target) return false
  sessionStorage.setItem(memory, target)
  window.location.assign(target)
  return true
}

/** A page that arrived whole may be reloaded again some day. */
export const forgetReload = () => sessionStorage.removeItem(memory)

/** Answers a part that cannot be loaded by loading the page it was for. `target` names that page. */
export function watchChunkErrors(target: () => string): () => void {
  const onError = (event: Event) => {
    if (reloadOnce(target())) event.preventDefault()
  }
  window.addEventListener('vite:preloadError', onError)
  return () => window.removeEventListener('vite:preloadError', onError)
}
