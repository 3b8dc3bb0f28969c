import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { access } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
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
  /** Of a file that the build has compressed, only that form is in memory. */
  body: () => Promise<Buffer>
  etag: string
  type: string
  cacheControl: string
  compressed: Map<Encoding, Promise<Buffer>>
}

/** The ending of a file that holds another one compressed by the build. */
const compressedEnding = '.br'

const compressedBody = (file: StaticFile, encoding: Encoding): Promise<Buffer> => {
  const compressing = file.compressed.get(encoding) ?? file.body().then((body) => encode(body, encoding, 'file'))
  file.compressed.set(encoding, compressing)
  return compressing
}

const decompress = promisify(brotliDecompress)

const read = (folder: string, path: string): StaticFile => {
  const compressed = join(folder, path + compressedEnding)
  const isCompressed = existsSync(compressed)
  const content = readFileSync(isCompressed ? compressed : join(folder, path))
  return {
    body: isCompressed ? () => decompress(content) : async () => content,
    etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
    type: types[extname(path)] ?? 'application/octet-stream',
    // A name with a hash never changes its content. Other files are revalidated.
    cacheControl: path.startsWith(`assets${sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
    compressed: new Map(isCompressed ? [['br', Promise.resolve(content)]] : []),
  }
}

/**
 * Serves the files of a built client from memory, compressed by the build or at first use: a newer
 * build may remove them. The handler returns false for other paths. Hashed files that a newer build
 * adds are served too. `base` begins the path of each file.
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
    if (encoding) headers['content-encoding'] = encoding
    const body = await (encoding ? compressedBody(file, encoding) : file.body())
    response.writeHead(200, { ...headers, 'content-length': body.length })
    response.end(request.method === 'HEAD' ? undefined : body)
    return true
  }
}
