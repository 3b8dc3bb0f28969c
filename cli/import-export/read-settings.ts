import { readFile } from 'node:fs/promises'
import type { ImportProblem } from '#api/modules/import-export/report.ts'
import { arrangements, resolveCategoryPaths } from '#api/modules/import-export/tables/categories.ts'
import type { SourceFiles } from '#api/modules/import-export/tables/cell-formats.ts'
import { brandKey, maxBrandBytes } from '#api/modules/media/pictures.ts'
import { isObject, type SettingProblem } from '#api/modules/tenancy/check-settings.ts'
import { changeSettingsInImport } from '#api/modules/tenancy/settings.ts'
import type { AuditActor } from '#api/platform/audit.ts'
import type { Ctx } from '#api/platform/context.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import type { MediaKey } from '#api/platform/storage/storage.ts'
import type { CustomerId } from '#contract/ids.ts'

/** Settings whose value is the URL of a picture. */
export const pictures = [
  'base.faviconPublicUrl',
  'base.logoPublicUrl',
  'base.logoDarkPublicUrl',
  'seo.ogImagePublicUrl',
]

/** Imported settings, with the pictures to store for them. */
export interface SettingsFile {
  /** Paths of pictures are replaced by their URLs. */
  values: Record<string, unknown>
  /** The other values, which name categories: resolved once the categories are imported. */
  arranged: Record<string, unknown>
  uploads: { key: MediaKey; bytes: Buffer }[]
  /** Problems of the pictures. The store validates the other values. */
  problems: SettingProblem[]
}

/** Converts the path of a picture to its URL in the store. */
const readPicture = async (id: CustomerId, name: string, files: SourceFiles) => {
  const file = await files.open(name, 'PICTURE')
  if (file === null) return 'must be the path of a picture. There is no such file'
  if (typeof file === 'string') return file
  const bytes = file.bytes <= maxBrandBytes ? await readFile(file.path) : null
  const key = bytes && brandKey({ id }, bytes)
  return key ? { key, bytes } : 'must be a picture (SVG, PNG, JPEG, WebP or ICO) of at most 5 MB'
}

const isPath = (value: unknown): value is string =>
  typeof value === 'string' && !/^(\/|https?:)/i.test(value) && value !== ''

/** Reads settings for a store, and the pictures that they name by path. */
export const readSettings = async (id: CustomerId, raw: unknown, files: SourceFiles): Promise<SettingsFile> => {
  if (!isObject(raw)) throw new OperatorError('Settings must be an object, for example {"base":{"name":"Acme"}}.')
  const settings: SettingsFile = { values: structuredClone(raw), arranged: {}, uploads: [], problems: [] }
  for (const name of arrangements)
    if (name in settings.values) {
      settings.arranged[name] = settings.values[name]
      delete settings.values[name]
    }
  for (const field of pictures) {
    const [group = '', name = ''] = field.split('.')
    const holder = settings.values[group]
    const value = isObject(holder) ? holder[name] : undefined
    if (!isObject(holder) || !isPath(value)) continue
    const picture = await readPicture(id, value, files)
    if (typeof picture === 'string') {
      settings.problems.push({ field, value, message: picture })
      delete holder[name]
    } else {
      settings.uploads.push(picture)
      holder[name] = `/media/${picture.key}`
    }
  }
  return settings
}

/** Changes the arranged settings of a store, with the categories that it has by now. */
export const changeArranged = async (ctx: Ctx, by: AuditActor, arranged: SettingsFile['arranged']) => {
  const { db, customer } = ctx
  const resolved = await resolveCategoryPaths({ db, customerId: customer.id }, arranged)
  if (resolved.problems.length > 0) return { changes: [], problems: resolved.problems }
  return changeSettingsInImport(ctx, by, resolved.values)
}

/** Converts problems of settings to the form of import problems. */
export const asProblems = (problems: readonly SettingProblem[], file = 'settings'): ImportProblem[] =>
  problems.map(({ field, value, message }) => ({
    file,
    row: null,
    column: field,
    message,
    value: typeof value === 'string' ? value : (JSON.stringify(value) ?? null),
  }))
