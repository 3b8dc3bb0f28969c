import { realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, resolve } from 'node:path'
import type { Command } from 'commander'
import { resolveCategoryPaths, withCategoryPaths } from '#api/modules/import-export/tables/categories.ts'
import {
  isListSetting,
  isTextSetting,
  readSetting,
  type SettingProblem,
  settingNames,
  translatedName,
} from '#api/modules/tenancy/check-settings.ts'
import { changeSettings, type SettingsChange } from '#api/modules/tenancy/settings.ts'
import { bindTenant } from '#api/platform/db/client.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import type { MediaStorage } from '#api/platform/storage/storage.ts'
import { isPublicKey, parseMediaKey } from '#api/platform/storage/storage.ts'
import { nearestWord } from '#api/platform/text.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { readJson } from '../import-export/read-json.ts'
import { asProblems, pictures, readSettings, type SettingsFile } from '../import-export/read-settings.ts'
import { sourceFiles } from '../import-export/source-files.ts'
import { writeAtomically } from '../import-export/write-files.ts'
import { actorOf, inStore, open, type StoreOptions } from '../platform/open.ts'
import { asOwner, storeOf } from '../platform/owner.ts'
import { printRows } from '../platform/print.ts'

const inGroup = (group: string) => settingNames.filter((name) => name.startsWith(`${group}.`))

const knownName = (name: string) => {
  if (settingNames.includes(name)) return name
  const within = inGroup(name)
  if (within.length > 0) throw new OperatorError(`${name} is a group. Its settings are: ${within.join(', ')}.`)
  const near = nearestWord(name, settingNames)
  throw new OperatorError(
    `There is no setting ${name}.${near ? ` Did you mean ${near}?` : ` The settings are: ${settingNames.join(', ')}.`}`,
  )
}

/** Converts a typed value: a text unchanged, a list also by commas, everything else as JSON. */
const typedValue = (name: string, typed: string): unknown => {
  if (typed === 'null' || typed === '') return null
  if (isTextSetting(name)) return typed
  try {
    return JSON.parse(typed)
  } catch {
    return isListSetting(name) ? typed.split(',').map((item) => item.trim()) : typed
  }
}

/**
 * Resolves the path of a typed picture. An absolute path may name any file, which a settings file
 * may not.
 */
const typedPath = async (name: string, value: unknown) => {
  const whole = pictures.includes(name) && typeof value === 'string' && isAbsolute(value)
  const path = whole ? await realpath(value).catch(() => null) : null
  return path === null ? { folder: process.cwd(), value } : { folder: dirname(path), value: basename(path) }
}

/** Returns the URLs of new pictures that do not exist in the store. */
const findMissingPictures = async (storage: MediaStorage, before: SiteSettings, { values, uploads }: SettingsFile) => {
  const newPictures = new Set(uploads.map(({ key }) => `/media/${key}`))
  const problems: SettingProblem[] = []
  for (const field of pictures) {
    const value = readSetting(values, field)
    if (typeof value !== 'string' || newPictures.has(value) || value === readSetting(before, field)) continue
    const key = value.startsWith('/media/') ? parseMediaKey(value.slice('/media/'.length)) : null
    if (key && isPublicKey(key) && (await storage.open(key)) === null)
      problems.push({ field, value, message: 'must be a picture of the store. There is none at this path' })
  }
  return problems
}

const applySettings = async (
  options: StoreOptions,
  given: Record<string, unknown>,
  folder: string,
  file: string,
  dry = false,
) => {
  await using opened = await open()
  const { deps } = opened
  const customer = await storeOf(opened, options.customer)
  const read = await readSettings(customer.id, given, sourceFiles(folder))
  const { uploads } = read
  const wrongValues = [...read.problems, ...(await findMissingPictures(deps.storage, customer.settings, read))]
  const isRight = ({ problems }: SettingsChange) => wrongValues.length + problems.length === 0
  const change = await asOwner(
    opened,
    async (db) => {
      await bindTenant(db, customer.id)
      const arranged = await resolveCategoryPaths({ db, customerId: customer.id }, read.arranged)
      wrongValues.push(...arranged.problems)
      const values = { ...read.values, ...arranged.values }
      const answer = await changeSettings({ db, customer, clock: deps.clock }, actorOf(options), values)
      if (isRight(answer) && !dry) for (const { key, bytes } of uploads) await deps.storage.put(key, bytes)
      return answer
    },
    (answer) => isRight(answer) && !dry,
  )
  for (const { column, value, message } of asProblems([...wrongValues, ...change.problems]))
    console.error(`${file}, ${column}: “${value}” ${message}.`)
  if (!isRight(change)) throw new OperatorError('Nothing was changed.')
  const { changes } = change
  for (const { name, from, to } of changes) console.log(`${name}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`)
  if (dry) return console.log(`Dry run: ${changes.length} settings would change. No changes were saved.`)
  console.log(changes.length === 0 ? 'Nothing to change.' : `Changed: ${changes.length}.`)
}

export const settingsCommands = (program: Command, store: (command: Command) => Command) => {
  const settings = program.command('settings').description('Read and change the settings of a store')
  store(settings.command('get').description('Show all settings, those of a group, or one'))
    .argument('[name]', 'for example base.name, or base')
    .action(async (name: string | undefined, options: StoreOptions) => {
      const group = inGroup(name ?? '')
      const names = name === undefined ? settingNames : group.length > 0 ? group : [knownName(name)]
      const all = await inStore(options, async ({ customer }) => customer.settings)
      if (name !== undefined && group.length === 0) return console.log(JSON.stringify(readSetting(all, name) ?? null))
      printRows(
        names.map((settingName) => ({
          name: settingName,
          value: JSON.stringify(readSetting(all, settingName) ?? null),
        })),
        '',
      )
    })
  store(settings.command('set').description('Change one setting'))
    .argument('<name>', 'for example base.name, or base.name.ko for its Korean text')
    .argument('<value>', 'text, true, 7, a list such as CARD,BANK, null, or the path of a picture')
    .action(async (name: string, typed: string, options: StoreOptions) => {
      const translated = translatedName(name)
      if (translated) {
        const { language, setting } = translated
        const text = typed === 'null' || typed === '' ? null : typed
        return applySettings(options, { translations: { [language]: { [setting]: text } } }, process.cwd(), 'settings')
      }
      const [group = '', field] = knownName(name).split('.')
      const { folder, value } = await typedPath(name, typedValue(name, typed))
      await applySettings(options, { [group]: field === undefined ? value : { [field]: value } }, folder, 'settings')
    })
  store(settings.command('export').description('Export all settings to a JSON file'))
    .argument('<file>', 'for example settings.json')
    .action(async (file: string, options: StoreOptions) => {
      const all = await inStore(options, ({ customer, inTransaction }) =>
        inTransaction(({ db }) => withCategoryPaths({ db, customerId: customer.id }, customer.settings)),
      )
      await writeAtomically(resolve(file), (line) => line(`${JSON.stringify(all, null, 2)}\n`))
    })
  store(settings.command('import').description('Import settings from a JSON file; others stay'))
    .argument('<file>', 'for example settings.json')
    .option('--dry-run', 'show errors and changes without applying them')
    .action(async (file: string, options: StoreOptions & { dryRun?: true }) => {
      const settings = await readJson(file, file)
      await applySettings(options, settings, resolve(file, '..'), file, options.dryRun === true)
    })
}
