import { join } from 'node:path'
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { browserSchemas } from './scripts/browser-schemas.ts'
import { classNameOf } from './scripts/class-names.ts'
import { consoleFiles } from './scripts/console-files.ts'
import { contractRoutes } from './scripts/contract-routes.ts'
import { consoleMessageFiles } from './scripts/message-files.ts'
import { compressAssets, removeOldAssets } from './scripts/old-assets.ts'
import { consolePureFunctions } from './scripts/pure-functions.ts'

const messages = { configPath: join(import.meta.dirname, 'admin.lingui.config.ts') }

/**
 * The operators' console: a client of its own beside the storefront, so that visitors load nothing
 * of it. `server/console.ts` serves it below /admin.
 */
export default defineConfig({
  root: join(import.meta.dirname, 'admin'),
  base: '/admin/',
  publicDir: false,
  resolve: { tsconfigPaths: true },
  css: { modules: { generateScopedName: classNameOf } },
  build: {
    outDir: join(import.meta.dirname, 'dist/admin'),
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    // The content security policy allows no data in place of a file.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // "use client" has no effect: there are no server components.
      onLog: (level, log, handler) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && handler(level, log),
      treeshake: {
        manualPureFunctions: consolePureFunctions,
        moduleSideEffects: [{ test: /\/contract\/[\w/-]+\.ts$/, sideEffects: false }],
      },
      checks: { pluginTimings: false },
      output: { codeSplitting: consoleFiles },
    },
  },
  plugins: [
    react(),
    lingui(messages),
    babel({ presets: [linguiTransformerBabelPreset({}, messages)] }),
    browserSchemas(),
    contractRoutes(),
    removeOldAssets(),
    compressAssets(),
    consoleMessageFiles(),
  ],
})
