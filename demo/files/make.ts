import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FILES, type FileName } from './files.ts'
import { CONTENT_TYPES } from './made-file.ts'

/** Writes every download into `demo/media/file`, with an index of their sizes: `node demo/files/make.ts`. */
const folder = join(import.meta.dirname, '../media/file')
mkdirSync(folder, { recursive: true })
const index = Object.fromEntries(
  (Object.keys(FILES) as FileName[]).map((name) => {
    const { ending, make } = FILES[name]
    const body = make()
    writeFileSync(join(folder, `${name}.${ending}`), body)
    console.log(`${name}.${ending}  ${(body.length / 1024).toFixed(1)} kB`)
    return [name, { asset: `file/${name}.${ending}`, contentType: CONTENT_TYPES[ending], bytes: body.length }]
  }),
)
writeFileSync(join(folder, 'index.json'), `${JSON.stringify(index, null, 2)}\n`)
