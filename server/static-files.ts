import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { access } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, relative, sep } from 'node:path'
import { pathOf } from '#contract/request-url.ts'
import { acceptedEncoding, type Encoding, encode } from './compress.ts'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.html': 'text/html; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
}
const compressible = /\.(?:js|css|json|svg|html|txt|webmanifest)$/

/** The path of a file whose name has a hash. */
const assetName = /^assets\/[\w-]+(?:\.[\w-]+)+$/

interface StaticFile {
  body: Buffer
  etag: string
  type: string
  cacheControl: string
  compressed: Map<Encoding, Promise<Buffer>>
}

/** The ending of a file that holds another one compressed by the build. */
const compressedEnding = '.br'

const read = (folder: string, path: string): StaticFile => {
  const body = readFileSync(join(folder, path))
  const compressed = join(folder, path + compressedEnding)
  return {
    body,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    type: types[extname(path)] ?? 'application/octet-stream',
    // A name with a hash never changes its content. Other files are revalidated.
    cacheControl: path.startsWith(`assets${sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
    compressed: new Map(existsSync(compressed) ? [['br', Promise.resolve(readFileSync(compressed))]] : []),
  }
}

/**
 * Serves the files of a built client from memory, compressed by the build or at first use. The
 * handler returns false for other paths. Hashed files that a newer build adds are served too.
 * `base` begins the path of each file.
 */
export const createStaticFiles = (folder: string, base = '/') => {
  const files = new Map<string, StaticFile>()
  if (existsSync(folder))
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.name.endsWith(compressedEnding)) continue
      const path = relative(folder, join(entry.parentPath, entry.name))
      files.set(base + path.split(sep).join('/'), read(folder, path))
    }

  /** A newer build may be in the folder already, whose pages other processes send. */
  const findNewer = async (path: string) => {
    const name = path.startsWith(base) ? path.slice(base.length) : ''
    if (!assetName.test(name) || name.endsWith(compressedEnding)) return undefined
    const isThere = await access(join(folder, name)).then(
      () => true,
      () => false,
    )
    if (isThere && !files.has(path)) files.set(path, read(folder, join(...name.split('/'))))
    return files.get(path)
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const path = pathOf(request.url)
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const file = files.get(path) ?? (await findNewer(path))
    if (!file) return false
    const encoding = compressible.test(path)
      ? acceptedEncoding(request.headers['accept-encoding']?.toString())
      : undefined
    const headers: Record<string, string | number> = {
      'cache-control': file.cacheControl,
      'content-type': file.type,
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
      etag: file.etag,
    }
    if (request.headers['if-none-match']?.split(/,\s*/).includes(file.etag)) {
      response.writeHead(304, headers).end()
      return true
    }
    let body = file.body
    if (encoding) {
      const compressing = file.compressed.get(encoding) ?? encode(file.body, encoding, 'file')
      file.compressed.set(encoding, compressing)
      body = await compressing
      headers['content-encoding'] = encoding
    }
    response.writeHead(200, { ...headers, 'content-length': body.length })
    response.end(request.method === 'HEAD' ? undefined : body)
    return true
  }
}
