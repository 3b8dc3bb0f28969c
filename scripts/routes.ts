/**
 * Writes `app/routeTree.gen.ts` from the files in `app/routes`, as the development server and the
 * build do.
 *
 *   npm run generate
 */
import { resolveConfig } from 'vite'

// The router's plugin writes the file when its configuration is read.
await resolveConfig({ configFile: 'app.config.ts', logLevel: 'warn' }, 'serve')
