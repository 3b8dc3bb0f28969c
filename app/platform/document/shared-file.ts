import { log } from '~/platform/log'

const minutes = (count: number) => count * 60

/** A file that many readers share, such as robots.txt: kept by caches for some minutes. */
export const sharedFile = (text: string, contentType: string): Response =>
  new Response(text, {
    headers: { 'content-type': `${contentType}; charset=utf-8`, 'cache-control': `public, max-age=${minutes(5)}` },
  })

/** In place of a file that cannot be written now: a crawler comes again later, and takes nothing of it for the store's word. */
export function unavailableFile(requestId: string, error?: unknown): Response {
  log('error', 'A file for crawlers could not be written.', { requestId, error })
  return new Response('This file is not available at the moment. Try again later.\n', {
    status: 503,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'retry-after': '60' },
  })
}
