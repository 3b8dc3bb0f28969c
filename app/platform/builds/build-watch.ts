import { buildPollInterval } from '~/platform/constants'

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
