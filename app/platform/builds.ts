import { buildPollInterval } from './constants'

const ownBuild = import.meta.env.MARQUEE_BUILD_ID

let newerBuild = false

/** Whether the server has a newer build than this page runs. */
export const isOutdated = () => newerBuild

/** Reads the manifest once. No manifest (404) or no right to it (403) says nothing; any other failure is thrown. */
export async function checkBuild(): Promise<void> {
  const response = await fetch(`/builds/latest.json?${Date.now()}`, { cache: 'no-store' })
  if (response.status === 404 || response.status === 403) return
  if (!response.ok) throw new Error(`The build manifest answered ${response.status}`)
  const manifest: unknown = await response.json()
  if (typeof manifest === 'object' && manifest !== null && 'id' in manifest) newerBuild = manifest.id !== ownBuild
}

/** Asks again and again while the page is looked at, and whenever it is looked at again. Answers how to stop. */
export function watchBuilds(onError: (error: unknown) => void): () => void {
  const check = () => {
    if (document.visibilityState === 'visible' && !newerBuild) checkBuild().catch(onError)
  }
  const timer = setInterval(check, buildPollInterval)
  document.addEventListener('visibilitychange', check)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', check)
  }
}

const memory = 'marquee:chunk-reload'

const chunkWords =
  /dynamically imported module|importing a module script failed|unable to preload css|failed to fetch module/i

/** Whether an error says that a part of the program is no longer where it was. */
export const isChunkError = (error: unknown): boolean => error instanceof Error && chunkWords.test(error.message)

/** A target is given another chance when its last one is this long ago. */
const patience = 300_000

let reloading = false

/** Whether the page is being replaced: nothing that goes wrong in it now is worth showing. */
export const isReloading = () => reloading

/** Loads the target anew, once: if its parts are still missing then, a reload does not help and the error is shown. */
export function reloadOnce(target: string): boolean {
  if (wasReloaded(target)) return false
  sessionStorage.setItem(memory, JSON.stringify({ target, at: Date.now() }))
  reloading = true
  window.location.assign(target)
  return true
}

function wasReloaded(target: string): boolean {
  try {
    const last = JSON.parse(sessionStorage.getItem(memory) ?? '{}') as { target?: string; at?: number }
    return last.target === target && Date.now() - (last.at ?? 0) < patience
  } catch {
    return false
  }
}

/**
 * Answers a part that cannot be loaded by loading the page it was for. `target` names that page. The error goes on under its own name
 * to whoever asked for the part: prevented, it would leave them with a part of which nothing is there.
 */
export function watchChunkErrors(target: () => string): () => void {
  const onError = (event: VitePreloadErrorEvent) => {
    // The router would reload once more on its own account.
    sessionStorage.setItem(`tanstack_router_reload:${event.payload.message}`, '1')
    reloadOnce(target())
  }
  window.addEventListener('vite:preloadError', onError)
  return () => window.removeEventListener('vite:preloadError', onError)
}
