import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { audit } from '#api/domain/desk/audit.ts'
import type { Problem } from '#api/domain/exchange/report.ts'
import type { SourceFiles } from '#api/domain/exchange/source.ts'
import { checkSettings, settingNames } from '#api/domain/tenancy/check-settings.ts'
import { writeSettings } from '#api/domain/tenancy/write-settings.ts'
import { brandFormat } from '#api/media/brand-file.ts'
import type { MediaKey } from '#api/media/key.ts'
import { StartupError } from '#api/startup-error.ts'
import type { CustomerId } from '#contract/ids.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { actorOf, type Opened, type StoreOptions } from '../open.ts'
import { asOwner, storeOf } from '../owner.ts'

const mostBrandBytes = 5_000_000
const pictures = ['base.faviconPublicUrl', 'base.logoPublicUrl', 'base.logoDarkPublicUrl', 'seo.ogImagePublicUrl']

/** Settings that were read and judged, with what is to be stored for them. */
export interface JudgedSettings {
  problems: Problem[]
  given: Record<string, unknown>
  changes: string[]
  same: number
  uploads: { key: MediaKey; bytes: Buffer }[]
}

/** A picture beside the file becomes its address in the store. */
const takePicture = async (id: CustomerId, name: string, files: SourceFiles) => {
  const file = await files.open(name)
  if (file === null) return 'must be the path of a picture: there is no such file'
  if (typeof file === 'string') return file
  const bytes = file.bytes <= mostBrandBytes ? await readFile(file.path) : null
  const format = bytes && brandFormat(bytes)
  if (!bytes || !format) return 'must be a picture as SVG, PNG, JPEG, WebP or ICO, 5 MB at most'
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  return { key: `brand/${id}/${hash}.${format}` as MediaKey, bytes }
}

const isPath = (value: unknown): value is string =>
  typeof value === 'string' && !/^(\/|https?:)/i.test(value) && value !== ''

/** Puts the addresses in place of the paths. */
const withPictures = async (id: CustomerId, given: Record<string, unknown>, files: SourceFiles) => {
  const uploads: JudgedSettings['uploads'] = []
  const wrong: { field: string; value: string; right: string }[] = []
  const whole = structuredClone(given)
  for (const field of pictures) {
    const [group = '', name = ''] = field.split('.')
    const holder = whole[group] as Record<string, unknown> | undefined
    const value = holder?.[name]
    if (!holder || !isPath(value)) continue
    const taken = await takePicture(id, value, files)
    if (typeof taken === 'string') wrong.push({ field, value, right: taken })
    else {
      uploads.push(taken)
      holder[name] = `/media/${taken.key}`
    }
    if (typeof taken === 'string') delete holder[name]
  }
  return { whole, uploads, wrong }
}

/** What a change of settings would do, and all that is wrong with it. */
export const judgeSettings = async (
  opened: Opened,
  code: string,
  raw: unknown,
  files: SourceFiles,
): Promise<JudgedSettings> => {
  if (raw === null || typeof raw !== 'object' || Array.isArray(raw))
    throw new StartupError('Settings must be an object, for example {"base":{"name":"Acme"}}.')
  if (!opened.database.ownerUrl)
    throw new StartupError('Give DATABASE_OWNER_URL: the role that serves requests cannot change settings.')
  const customer = await storeOf(opened, code)
  const { whole, uploads, wrong } = await withPictures(customer.id, raw as Record<string, unknown>, files)
  const { problems, changes, settings } = checkSettings(customer.settings, whole)
  const found = [...wrong, ...problems, ...(await moneyProblems(opened, customer.id, customer.settings, settings))]
  return {
    ...{ given: whole, changes, uploads, same: settingNames.length - changes.length },
    problems: found.map(({ field, value, right }) => ({
      ...{ file: 'settings', row: null, column: field, right },
      value: typeof value === 'string' ? value : (JSON.stringify(value) ?? null),
    })),
  }
}

/** Prices that stand are in the currency the store has. */
const moneyProblems = async (opened: Opened, id: CustomerId, before: SiteSettings, after: SiteSettings) => {
  if (before.base.currency === after.base.currency) return []
  const { rows } = await asOwner(opened, async (db) => {
    await db.$client.query(`SELECT set_config('marquee.customer_id', $1, true)`, [id])
    return db.$client.query<{ any: boolean }>(
      'SELECT EXISTS (SELECT FROM products WHERE customer_id = $1) OR EXISTS (SELECT FROM plans WHERE customer_id = $1) AS any',
      [id],
    )
  })
  if (!rows[0]?.any) return []
  const right = `must stay ${before.base.currency}: the store has products or plans in it`
  return [{ field: 'base.currency', value: after.base.currency, right }]
}

/** Writes judged settings; answers how many changed. */
export const keepSettings = async (
  opened: Opened,
  options: StoreOptions,
  { given, uploads }: JudgedSettings,
): Promise<number> => {
  const { deps } = opened
  for (const { key, bytes } of uploads) await deps.storage.put(key, bytes)
  const customer = await storeOf(opened, options.customer)
  return asOwner(opened, async (db) => {
    const changes = await writeSettings(db, customer.id, given)
    if (changes.length > 0) {
      const entry = { actor: actorOf(options), action: 'settings.changed', subject: 'settings', detail: { changes } }
      await audit({ db, customer, clock: deps.clock }, entry)
    }
    return changes.length
  })
}
