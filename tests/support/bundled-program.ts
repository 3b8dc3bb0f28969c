import { mkdir, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { packagesWithFiles } from '../../scripts/bundle.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'node_modules/.cache/test-programs')

/** Modules in the bundle find files by the places of their sources. */
const sourcePlaces: Plugin = {
  name: 'marquee:source-places',
  transform: {
    filter: { id: { exclude: /\/node_modules\// }, code: /import\.meta\.url/ },
    handler: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
  },
}

const bundles = new Map<string, Promise<string>>()

const bundle = async (source: string): Promise<string> => {
  await using bundled = await rolldown({
    cwd: root,
    platform: 'node',
    input: source,
    external: packagesWithFiles,
    plugins: [sourcePlaces],
    logLevel: 'silent',
  })
  const { output } = await bundled.generate({ format: 'esm', codeSplitting: false })
  const file = join(folder, basename(source).replace(/\.ts$/, '.js'))
  await mkdir(folder, { recursive: true })
  // Another worker may start the same program meanwhile.
  const written = `${file}.${process.pid}`
  await writeFile(written, output[0].code)
  await rename(written, file)
  return file
}

/**
 * Bundles a program that tests start many times: one file is loaded in a third of the time that its
 * sources and packages need.
 *
 * @param source the program's path, from the root
 * @returns the path of the bundle
 */
export const bundledProgram = (source: string): Promise<string> => {
  const bundled = bundles.get(source) ?? bundle(source)
  bundles.set(source, bundled)
  return bundled
}
