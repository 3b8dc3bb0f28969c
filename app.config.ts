import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { browserSchemas } from './scripts/browser-schemas.ts'
import { classNameOf, classNamesInPlace, keepStyles } from './scripts/class-names.ts'
import { firstLoadFiles } from './scripts/first-load.ts'
import { laterRouteTrees } from './scripts/later-routes.ts'
import { lazyCalls } from './scripts/lazy-calls.ts'
import { messageFiles } from './scripts/message-files.ts'
import { compressAssets, removeOldAssets } from './scripts/old-assets.ts'
import { storefrontPureFunctions } from './scripts/pure-functions.ts'

// A build reads this file several times, and all its parts must have the same id.
process.env.MARQUEE_BUILD_ID ??= Date.now().toString(36)
const buildId = process.env.MARQUEE_BUILD_ID

/** Publishes the id of the latest build where every open page can poll it. */
const buildManifest = (): Plugin => ({
  name: 'marquee:build-manifest',
  apply: 'build',
  applyToEnvironment: (environment) => environment.name === 'client',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'builds/latest.json', source: JSON.stringify({ id: buildId }) })
  },
})

/** Ids of server functions are in every browser's first script, so they are short. */
const functionId = (fn: { filename: string; functionName: string }) =>
  createHash('sha256')
    .update(`${relative(import.meta.dirname, fn.filename)} ${fn.functionName}`)
    .digest('base64url')
    .slice(0, 8)

export default defineConfig(({ command }) => ({
  server: { host: '127.0.0.1', port: Number(process.env.PORT ?? 3000), strictPort: true },
  resolve: { tsconfigPaths: true },
  define: { 'import.meta.env.MARQUEE_BUILD_ID': JSON.stringify(buildId) },
  css: { modules: { generateScopedName: classNameOf } },
  build: {
    emptyOutDir: false,
    // A page that loads a part has loaded these.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, dependencies) =>
        dependencies.filter((file) => !/\/(?:index|packages|rolldown-runtime)-[\w-]+\.js$/.test(file)),
    },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // "use client" has no effect: there are no server components.
      onLog: (level, log, handler) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && handler(level, log),
      checks: { pluginTimings: false },
    },
  },
  environments: {
    ...(command === 'build' && {
      ssr: {
        // A single file loads faster than the packages and needs less memory.
        resolve: { noExternal: true },
        // With one letter beyond ASCII, Node keeps a file in two bytes for each character.
        build: { rolldownOptions: { output: { charset: 'ascii', comments: false } } },
      },
    }),
    client: {
      build: {
        rolldownOptions: {
          output: { codeSplitting: firstLoadFiles },
          treeshake: {
            manualPureFunctions: storefrontPureFunctions,
            moduleSideEffects: [{ test: /\/contract\/[\w/-]+\.ts$/, sideEffects: false }],
          },
        },
      },
    },
  },
  plugins: [
    tanstackStart({ srcDirectory: 'app', serverFns: { generateFunctionId: functionId } }),
    react(),
    lingui(),
    babel({ presets: [linguiTransformerBabelPreset()] }),
    browserSchemas(),
    laterRouteTrees(),
    classNamesInPlace(),
    keepStyles(),
    lazyCalls(),
    buildManifest(),
    removeOldAssets(),
    compressAssets(),
    messageFiles(),
  ],
}))
