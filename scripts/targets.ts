import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, copyPublicAssets, createNitro, prepare } from 'nitro/builder'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = join(root, 'dist')

type NitroOptions = NonNullable<Parameters<typeof createNitro>[0]>

/** What a platform needs besides the pages. */
interface Platform {
  preset: string
  /** The name in the sentence that the build prints. */
  title: string
  /** How the built folder is started or deployed. */
  command: string
  /** The platform prescribes the folders; their names are the preset’s. */
  hasOwnLayout?: boolean
  options?: NitroOptions
}

/** Where no CDN serves the files beside the function. */
const servesFiles = { serveStatic: true } as const satisfies NitroOptions

/** The platforms that run the storefront without the API, which they reach at `API_URL`. */
const platforms = {
  cloudflare: {
    preset: 'cloudflare_module',
    title: 'Cloudflare Workers',
    command: 'npx wrangler deploy --config .output/cloudflare/server/wrangler.json',
    options: { cloudflare: { wrangler: { name: 'marquee' }, deployConfig: true, nodeCompat: true } },
  },
  vercel: {
    preset: 'vercel',
    title: 'Vercel',
    command: 'cd .output/vercel && npx vercel deploy --prebuilt',
    hasOwnLayout: true,
  },
  netlify: {
    preset: 'netlify',
    title: 'Netlify',
    command: 'cd .output/netlify && npx netlify deploy --no-build --prod --dir dist',
    hasOwnLayout: true,
  },
  deno: {
    preset: 'deno_server',
    title: 'Deno',
    command: 'deno run --allow-net --allow-env --allow-read .output/deno/server/index.mjs',
    options: servesFiles,
  },
  bun: { preset: 'bun', title: 'Bun', command: 'bun .output/bun/server/index.mjs', options: servesFiles },
  'aws-lambda': {
    preset: 'aws_lambda',
    title: 'AWS Lambda',
    command: 'the handler index.handler of .output/aws-lambda/server',
    options: servesFiles,
  },
} as const satisfies Record<string, Platform>

export type FunctionTarget = keyof typeof platforms
export type Target = FunctionTarget | 'node'

export const targets = ['node', ...Object.keys(platforms)]

export const isTarget = (name: string): name is Target => targets.includes(name)

/**
 * Packs the built pages for a platform into `.output/<target>`. The pages are those of Node: they
 * use nothing that only Node has.
 *
 * @returns a sentence that says how to run them
 */
export const packFunction = async (target: FunctionTarget): Promise<string> => {
  const { preset, title, command, hasOwnLayout, options }: Platform = platforms[target]
  const folder = join(root, '.output', target)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const nitro = await createNitro({
    rootDir: folder,
    preset,
    // The compiler's intermediate files. Two targets may be packed at once.
    buildDir: join(root, 'node_modules/.cache/targets', target),
    ...(!hasOwnLayout && { output: { dir: folder } }),
    serverEntry: join(pages, 'server/server.js'),
    publicAssets: [
      { dir: join(pages, 'client/assets'), baseURL: '/assets', maxAge: 31_536_000 },
      { dir: join(pages, 'client') },
    ],
    scanDirs: [],
    renderer: false,
    compatibilityDate: '2026-10-01',
    logLevel: 1,
    ...options,
  })
  await prepare(nitro)
  await copyPublicAssets(nitro)
  await build(nitro)
  await nitro.close()
  // The preset’s temporary files.
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
  return `Built for ${title}: ${command}, with API_URL set to the origin of the API.`
}
