import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PageApi } from '#api/app.ts'
import type { RequestReport } from '#api/platform/http/request-facts.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import type { Encoding } from './compress.ts'
import { createConsole } from './console.ts'
import { createStaticFiles } from './static-files.ts'

/** Handles a request of node:http directly. Returns false if the request is not its own. */
export type DirectHandler = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

/**
 * The context that the storefront gets with each request. It has no other access to the back end.
 */
export interface StorefrontContext {
  /** The API. The same function for all requests, so caches are keyed by it. */
  api: (request: Request) => Promise<Response>
  /** The API for this page, whose requests share lookups. */
  requestApi: PageApi
  clientAddress?: string | undefined
  /** Filled in with the tenant, and with the name of a server function. */
  report?: RequestReport
  /** Compresses the pages that the storefront caches. */
  encoder: {
    choose: (accepted: string | null) => Encoding | undefined
    encode: (body: Uint8Array, encoding: Encoding) => Promise<Uint8Array<ArrayBuffer>>
  }
  /**
   * Called with a document that all guests of the store share, before it is sent. It is valid while
   * the store's version and the owner of the host are the same.
   */
  onSharedDocument: (document: SharedDocument, store: SharedDocumentStore) => void
}

export interface SharedDocument {
  body: Uint8Array<ArrayBuffer>
  /** The body as it was sent to visitors who accept an encoding. */
  encoded: Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>
  /** Milliseconds since 1970. */
  expiresAt: number
}

export interface SharedDocumentStore {
  customerCode: string
  version: number
  host: string
  /** The customer code of the host's own tenant. */
  hostCustomerCode: string | null
}

export interface StorefrontEntry {
  fetch: (request: Request, options: { context: StorefrontContext }) => Promise<Response>
  /** The pattern of a page's path, such as `/products/{code}`; undefined if no page matches. */
  routeOf: (path: string) => string | undefined
  /** Sends the storefront's log lines to a logger. */
  logTo: (sink: (level: 'info' | 'warn' | 'error', facts: object, message: string) => void) => void
  /**
   * Returns all that a guest's page depends on, from the line and headers of a request. Undefined
   * if the visitor's pages may be their own.
   */
  sharedDocumentKey: (request: IncomingMessage, header: (name: string) => string | undefined) => string | undefined
}

export interface Storefront extends StorefrontEntry, AsyncDisposable {
  /** Serves its scripts, styles and icons, and the operators' console. */
  files: DirectHandler
}

/** Loads the built storefront. @throws OperatorError before the first build */
export const loadStorefront = async (distFolder: string): Promise<Storefront> => {
  const entry = join(distFolder, 'server/server.js')
  if (!existsSync(entry)) throw new OperatorError('The storefront has not been built yet. Run npm run build first.')
  const { default: storefront }: { default: StorefrontEntry } = await import(pathToFileURL(entry).href)
  const files = createStaticFiles(join(distFolder, 'client'))
  const serveConsole = createConsole(join(distFolder, 'admin'))
  return {
    ...storefront,
    files: async (request, response) => (await files(request, response)) || serveConsole(request, response),
    [Symbol.asyncDispose]: async () => {},
  }
}
