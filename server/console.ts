import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { consolePath as base, isApiPath } from '#contract/http.ts'
import { pathOf } from '#contract/request-url.ts'
import { createStaticFiles } from './static-files.ts'

/** The console's scripts are files of its own, and nothing may frame it. */
const policy = (script: string, style: string, connect: string) =>
  [
    "default-src 'none'",
    `script-src ${script}`,
    `style-src ${style}`,
    "img-src 'self' data: blob: https:",
    "font-src 'self'",
    "media-src 'self' blob:",
    `connect-src ${connect}`,
    // Emails as they were sent.
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Whether a request is for a page of the console. All of them are one document. */
export const isConsolePage = ({ method, url }: { method?: string | undefined; url?: string | undefined }): boolean => {
  const path = pathOf(url)
  if (method !== 'GET' && method !== 'HEAD') return false
  if (path !== base && !path.startsWith(`${base}/`)) return false
  return !isApiPath(path) && !path.startsWith(`${base}/assets/`)
}

/** The headers of the console's document. With a nonce they are those of development. */
export const consoleHeaders = (nonce?: string): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': nonce
    ? policy(`'self' 'nonce-${nonce}'`, "'self' 'unsafe-inline'", "'self' ws:")
    : policy("'self'", "'self'", "'self'"),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
})

/** Serves the built console: its document for each of its addresses, and its files. */
export const createConsole = (folder: string) => {
  const document = join(folder, 'index.html')
  // A build of the programs alone has no console.
  if (!existsSync(document)) return async () => false
  const body = readFileSync(document)
  const files = createStaticFiles(folder, `${base}/`)
  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    if (!isConsolePage(request)) return files(request, response)
    response.writeHead(200, { ...consoleHeaders(), 'content-length': body.length })
    response.end(request.method === 'HEAD' ? undefined : body)
    return true
  }
}
