import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartupError } from '#api/startup-error.ts'

/** What the storefront is given with each request; it knows nothing else of the back end. */
interface StorefrontContext {
  api: (request: Request) => Promise<Response>
  clientAddress?: string | undefined
}

export interface Storefront {
  fetch: (request: Request, options: { context: StorefrontContext }) => Promise<Response>
}

/** The built storefront's one function. */
export const loadStorefront = async (distFolder: string): Promise<Storefront> => {
  const entry = join(distFolder, 'server/server.js')
  if (!existsSync(entry)) throw new StartupError('The storefront has not been built yet: run npm run build first.')
  const { default: storefront } = (await import(pathToFileURL(entry).href)) as { default: Storefront }
  return storefront
}
