/**
 * Fails unless the message catalogues of the app, the console and the API match the code, and every
 * message has its translations. Extracts again, compares, and restores the files.
 */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'

const files = globSync('{app,api,admin}/locales/*/messages.po')

// Changes of dates and line numbers are ignored.
const meaning = (text: string) =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('#:') && !line.includes('POT-Creation-Date'))
    .join('\n')

const before = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
for (const config of ['lingui.config.ts', 'admin.lingui.config.ts'])
  execFileSync('lingui', ['extract', '--clean', '--config', config], { stdio: ['ignore', 'ignore', 'inherit'] })
const faults: string[] = []
for (const [file, text] of before) {
  const now = readFileSync(file, 'utf8')
  writeFileSync(file, text)
  if (meaning(now) !== meaning(text)) faults.push(`${file} is not up to date: run \`npm run extract\`.`)
  if (file.includes('/en/')) continue
  const missing = untranslated(now)
  if (missing.length > 0)
    faults.push(`${file} lacks translations (${missing.length}), the first: ${missing.slice(0, 5).join(' | ')}`)
}

function untranslated(text: string): string[] {
  return text
    .split(/\n\n+/)
    .filter(
      (entry) =>
        /^msgstr ""$/m.test(entry) &&
        !/^msgstr ""\n"/m.test(entry) &&
        !/^msgid ""\nmsgstr/m.test(entry) &&
        !entry.includes('#~'),
    )
    .map((entry) => /^msgid "(.*)"$/m.exec(entry)?.[1] ?? entry.slice(0, 80))
}

for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
