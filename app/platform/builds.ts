import { buildPollInterval } from './constants'

const ownBuild = import.meta.env.MARQUEE_BUILD_ID

let newerBuild = false

/** Whether the server has a newer build than this page. */
export const isOutdated = () => newerBuild

/**
 * Reads the build manifest once. 404 and 403 mean nothing.
 * @throws for any other failure
 */
export async function checkBuild(): Promise<void> {
  const response = await fetch(`/builds/latest.json?${Date.now()}`, { cache: 'no-store' })
  if (response.status === 404 || response.status === 403) return
  if (!response.ok) throw new Error(`The build manifest answered ${response.status}`)
  const manifest: unknown = await response.json()
  if (typeof manifest === 'object' && manifest !== null && 'id' in manifest) newerBuild = manifest.id !== ownBuild
}

/**
 * Polls the build manifest while the page is visible, and whenever it becomes visible again.
 * Returns the function that stops it.
 */
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

const storageKey = 'marquee:chunk-reload'

const chunkErrorMessages =
  /dynamically imported module|importing a module script failed|unable to preload css|failed to fetch module/i

/** Whether an error means that a script chunk no longer exists. */
export const isChunkError = (error: unknown): boolean =>
  error instanceof Error && chunkErrorMessages.test(error.message)

/** Milliseconds after which a page may be reloaded again. */
const reloadAgainAfter = 300_000

let reloading = false

/** Whether the page is being reloaded, so that errors need not be shown. */
export const isReloading = () => reloading

/**
 * Reloads the target once. If its chunks are still missing after that, returns false and the error
 * is shown.
 */
export function reloadOnce(target: string): boolean {
  if (wasReloaded(target)) return false
  sessionStorage.setItem(storageKey, JSON.stringify({ target, at: Date.now() }))
  reloading = true
  window.location.assign(target)
  return true
}

function wasReloaded(target: string): boolean {
  try {
    const last: { target?: string; at?: number } = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
    return last.target === target && Date.now() - (last.at ?? 0) < reloadAgainAfter
  } catch {
    return false
  }
}

/** Whether the visitor watches a film on the page that is shown. */
const isWatching = () => document.querySelector('[data-player][data-started]') !== null

/**
 * Reloads the page when one of its chunks cannot be loaded. `target` returns that page's address.
 * The error is not prevented: the importer would continue with an undefined module.
 */
export function watchChunkErrors(target: () => string): () => void {
  const onError = (event: VitePreloadErrorEvent) => {
    // Prevents a second reload by the router.
    sessionStorage.setItem(`tanstack_router_reload:${event.payload.message}`, '1')
    const address = target()
    // Without a network a reload would replace the page that is read, and always the film that is
    // watched. Their parts stay as they are.
    const isShown = new URL(address, window.location.href).pathname === window.location.pathname
    if (!isShown || (navigator.onLine && !isWatching())) reloadOnce(address)
  }
  window.addEventListener('vite:preloadError', onError)
  return () => window.removeEventListener('vite:preloadError', onError)
}
