/** Safari says "maybe" for HLS and means it; so does Chromium, which then fails on encrypted streams. */
export const playsNatively = (video: HTMLVideoElement) =>
  'ManagedMediaSource' in window && video.canPlayType('application/vnd.apple.mpegurl') !== ''

/** The engine is the browser's alone: the server's bundle goes without its megabyte. */
const loadHls = () => {
  if (import.meta.env.SSR) throw new Error('Video plays in a browser, not on the server.')
  return import('hls.js')
}

export const loadEngine = () => Promise.all([loadHls(), import('./engine-hls')])

/** Begins to fetch the player's engine, so that it is there when its stream is. */
export const preloadEngine = () => {
  if (import.meta.env.SSR || playsNatively(document.createElement('video'))) return
  void loadEngine().catch(() => {})
}
