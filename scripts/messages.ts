/**
 * Checks the message catalogues of the app, the console and the API: fails unless they match the
 * code and every message has its translations. With `--update` it collects new messages into them
 * instead.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'

const update = process.argv.includes('--update')

/** Collects the messages of the code into the catalogues. */
function extract() {
  for (const config of ['lingui.config.ts', 'admin.lingui.config.ts']) {
    const { status, stdout } = spawnSync('lingui', ['extract', '--clean', '--config', config], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    // Lingui's hints name a command that this project does not have (`npm run compile`).
    if (update) process.stdout.write((stdout ?? '').replaceAll(/^\(Use ".*\n/gm, ''))
    if (status !== 0) process.exit(status ?? 1)
  }
}

/** Extracts again, restores the files, and returns what differs from them or is not translated. */
function faultsOfCatalogues(): string[] {
  const files = globSync('{app,api,admin}/locales/*/messages.po')
  const before = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  extract()
  return [...before].flatMap(([file, text]) => {
    const now = readFileSync(file, 'utf8')
    writeFileSync(file, text)
    const missing = file.includes('/en/') ? [] : untranslated(now)
    return [
      ...(meaning(now) === meaning(text) ? [] : [`${file} is not up to date: run \`npm run extract\`.`]),
      ...(missing.length === 0
        ? []
        : [`${file} lacks translations (${missing.length}), the first: ${missing.slice(0, 5).join(' | ')}`]),
    ]
  })
}

/** A catalogue without dates and line numbers, whose changes are ignored. */
const meaning = (text: string) =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('#:') && !line.includes('POT-Creation-Date'))
    .join('\n')

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

if (update) extract()
else {
  const faults = faultsOfCatalogues()
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
