import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEMO_TENANTS } from './content/tenants.ts'
import { FILES, type FileName } from './files/files.ts'
import { CONTENT_TYPES } from './files/made-file.ts'

/**
 * Writes every download into `demo/media/file`, with an index of their sizes: `node
 * demo/make-files.ts`.
 */
const ON_NOTICES = new Set(
  DEMO_TENANTS.flatMap(({ notices }) => notices.flatMap(({ attachments = [] }) => attachments.map(({ file }) => file))),
)
const folder = join(import.meta.dirname, 'media/file')
const open = join(folder, '../public')
for (const path of [folder, open]) mkdirSync(path, { recursive: true })
const index = Object.fromEntries(
  (Object.keys(FILES) as FileName[]).map((name) => {
    const { ending, make } = FILES[name]
    const body = make()
    writeFileSync(join(folder, `${name}.${ending}`), body)
    // Notices hand their files to everyone.
    if (ON_NOTICES.has(name)) writeFileSync(join(open, `${name}.${ending}`), body)
    console.log(`${name}.${ending}  ${(body.length / 1024).toFixed(1)} kB`)
    return [name, { asset: `file/${name}.${ending}`, contentType: CONTENT_TYPES[ending], bytes: body.length }]
  }),
)
writeFileSync(join(folder, 'index.json'), `${JSON.stringify(index, null, 2)}\n`)
