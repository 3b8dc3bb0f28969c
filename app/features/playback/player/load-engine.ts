/**
 * Safari answers "maybe" for HLS and plays it. Chromium does too, but fails on encrypted streams.
 */
export const playsNatively = (video: HTMLVideoElement) =>
  'ManagedMediaSource' in window && video.canPlayType('application/vnd.apple.mpegurl') !== ''

/** Keeps hls.js, a megabyte, out of the server's bundle. */
const loadHls = () => {
  if (import.meta.env.SSR) throw new Error('Video plays in a browser, not on the server.')
  return import('hls.js')
}

export const loadEngine = () => Promise.all([loadHls(), import('./engine-hls')])

export const preloadEngine = () => {
  if (import.meta.env.SSR || playsNatively(document.createElement('video'))) return
  void loadEngine().catch(() => {})
}
