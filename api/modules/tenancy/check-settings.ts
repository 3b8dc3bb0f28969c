import { isPublicKey, parseMediaKey } from '#api/platform/storage/storage.ts'
import { didYouMean } from '#api/platform/text.ts'
import { locale } from '#contract/enumerations.ts'
import { type RouteRuleProblem, routeRuleProblem } from '#contract/route-rule-check.ts'
import { type SiteSettings, siteSettings, translatedSettings } from '#contract/tenancy.ts'
import { isDomain, isOrigin } from '#contract/web-addresses.ts'

export interface SettingProblem {
  /** `base.currency` */
  field: string
  value: unknown
  message: string
  code?: RouteRuleProblem['code']
}

interface Shape {
  type: string
  innerType?: { def: Shape; safeParse: (value: unknown) => { success: boolean } }
  entries?: Record<string, string>
}
interface Leaf {
  def: Shape
  safeParse: (value: unknown) => { success: boolean }
}

/** Whether a value is an object and not an array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Every setting of the contract by name, without the fields that the API adds. */
const leaves: Map<string, Leaf> = new Map(
  Object.entries(siteSettings.shape).flatMap(([group, schema]): [string, Leaf][] =>
    'shape' in schema
      ? Object.entries<Leaf>(schema.shape).map(([name, leaf]) => [`${group}.${name}`, leaf])
      : [[group, schema]],
  ),
)
leaves.delete('order.paymentOrigins')

export const settingNames: readonly string[] = [...leaves.keys()]

/**
 * Accepts named time zones. UTC offsets (`+09:00`) are refused: PostgreSQL reads their sign
 * reversed.
 */
const isZone = (value: unknown) => {
  try {
    return (
      typeof value === 'string' &&
      /^[A-Z]/i.test(new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone)
    )
  } catch {
    return false
  }
}

/** Only public media addresses of the store itself are pictures. */
const isPublicMedia = (value: string) => {
  const key = value.startsWith('/media/') ? parseMediaKey(value.slice('/media/'.length)) : null
  return key !== null && isPublicKey(key)
}
const isAddress = (value: unknown) =>
  value === null || (typeof value === 'string' && (value.startsWith('/') ? isPublicMedia(value) : isDomain(value)))
const picture = {
  message:
    'must be the path of a picture file, a URL such as https://example.com/logo.svg, a path that the store serves (/media/brand/…), or null',
  ok: isAddress,
}
const within = (min: number, max: number, what: string) => ({
  message: `must be ${what} from ${min} to ${max}`,
  ok: (value: unknown) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
})

/** Rules that depend on the value alone. */
const valueRules = {
  'base.currency': {
    message: 'must be the three-letter code of a currency, for example KRW or USD',
    ok: (value: unknown) => Intl.supportedValuesOf('currency').includes(String(value)),
  },
  'base.timeZone': { message: 'must be a time zone, for example Asia/Seoul or Europe/Berlin', ok: isZone },
}

/** What a value must satisfy beyond its type. */
const rules: Record<string, { message: string; ok: (value: unknown, all: SiteSettings, input: unknown) => boolean }> = {
  ...valueRules,
  'base.locales': {
    message: 'must be a list of en, ko, ja and ar that includes base.locale',
    ok: (value, { base }) => Array.isArray(value) && value.includes(base.locale),
  },
  'base.dateFormat': {
    message: 'must contain yyyy, mm and dd, for example yyyy/mm/dd',
    ok: (value) => /^(?=.*yyyy)(?=.*mm)(?=.*dd)[ymd/.\- ]{8,14}$/i.test(String(value)),
  },
  'base.name': {
    message: 'must be a name of at most 100 characters',
    ok: (value) => value === null || String(value).length <= 100,
  },
  'base.faviconPublicUrl': picture,
  'base.logoPublicUrl': picture,
  'base.logoDarkPublicUrl': picture,
  'seo.ogImagePublicUrl': picture,
  'seo.publicUrl': {
    message: 'must be the origin of the store without a path, for example https://films.example.com, or null',
    ok: (value) => value === null || isOrigin(String(value)),
  },
  'theme.accent': {
    message: 'must be a color in the form #rrggbb, for example #2563eb',
    ok: (value) => /^#[0-9a-f]{6}$/i.test(String(value)),
  },
  'operation.deviceLimit': within(0, 1000, 'a number of devices (0: no limit)'),
  'operation.streamLimit': within(0, 1000, 'a number of streams (0: no limit)'),
  'operation.retentionDays': within(0, 36_500, 'a number of days (0: no limit)'),
  'order.depositHours': within(1, 8760, 'a number of hours'),
  'order.refundDays': within(0, 3650, 'a number of days'),
  'order.methods': {
    message: 'must list CARD, BANK or both',
    ok: (value) => Array.isArray(value) && new Set(value).size === value.length,
  },
  'order.refundPolicy': {
    message: 'must have a version and a text, for example {"version":"2026-11","text":"Within seven days."}',
    ok: (value) => isObject(value) && String(value.version).length > 0,
  },
  'business.email': {
    message: 'must be an email address, for example help@example.com, or null',
    ok: (value) => value === null || /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(String(value)),
  },
  redirectOrigins: {
    message: 'must be a list of origins without a path, for example ["https://example.com"]',
    ok: (value) => Array.isArray(value) && value.every((origin) => isOrigin(String(origin))),
  },
  translations: {
    message: `must contain texts by language (one of base.locales) and setting, for example {"ko":{"base.name":"…"}}. The settings with translations are: ${translatedSettings.join(', ')}`,
    // Texts in a language that the store no longer has are kept for the day on which it returns.
    ok: (value, { base }, input) =>
      isObject(value) &&
      Object.keys(isObject(input) ? input : value).every(
        (language) => language !== base.locale && base.locales.some((offered) => offered === language),
      ),
  },
  homeSections: {
    message:
      'must be a list of different sections, at most 20, such as {"kind":"NEWEST"}, {"kind":"CATEGORY","categoryId":"…"} or {"kind":"PRODUCTS","id":"picks","title":"…","productCodes":["…"]}, or null',
    ok: () => true,
  },
  menu: {
    message:
      'must be a list of different links, at most 20, such as {"kind":"VIDEOS"}, {"kind":"CATEGORY","categoryId":"…"} or {"kind":"LINK","id":"about","title":"…","url":"/pages/about"}, or null',
    ok: () => true,
  },
  routeRules: {
    message: 'must be a list of rules such as {"from":"/old/:code","to":"/products/:code","permanent":true}',
    // The rule itself runs later, once both lists are known.
    ok: Array.isArray,
  },
}

/** light, dark, or system */
const alternatives = new Intl.ListFormat('en', { type: 'disjunction' })

const words: Record<string, string> = {
  boolean: 'must be true or false',
  string: 'must be text',
  number: 'must be a whole number',
  array: 'must be a list',
  object: 'must be an object',
}

/** Describes the accepted values of a setting, from its rule or its type. */
const ruleMessage = (name: string): string => {
  const rule = rules[name]
  if (rule) return rule.message
  let def = leaves.get(name)?.def
  if (!def) return 'must be a setting'
  const nullable = def.type === 'nullable'
  while (def.innerType) def = def.innerType.def
  const word = def.entries
    ? `must be ${alternatives.format(Object.keys(def.entries))}`
    : (words[def.type] ?? 'has an invalid value')
  return nullable ? `${word} or null` : word
}

/** Describes the accepted values if a value is never valid; null if it can be. */
export const refusedValue = (name: 'base.currency' | 'base.timeZone', value: unknown): string | null =>
  leaves.get(name)?.safeParse(value).success && valueRules[name].ok(value) ? null : ruleMessage(name)

const typeOf = (name: string): string | undefined => {
  let def = leaves.get(name)?.def
  while (def?.innerType) def = def.innerType.def
  return def?.type
}

/** Whether a setting is a list, so that input is split at commas. */
export const isListSetting = (name: string): boolean => typeOf(name) === 'array'

/** Whether a setting is text, so that input is used unchanged. */
export const isTextSetting = (name: string): boolean => ['string', 'enum'].includes(typeOf(name) ?? '')

/** Reads a setting by name from complete or partial settings; undefined if absent. */
export const readSetting = (settings: object, name: string): unknown => {
  const [group = '', field] = name.split('.')
  const value: unknown = Reflect.get(settings, group)
  if (field === undefined) return value
  return isObject(value) ? value[field] : undefined
}

/** Flattens complete or partial settings to pairs of name and value. Undefined counts as absent. */
const flat = (settings: Record<string, unknown>): [string, unknown][] =>
  Object.entries(settings)
    .flatMap(([group, value]): [string, unknown][] =>
      leaves.has(group) || !isObject(value)
        ? [[group, value]]
        : Object.entries(value).map(([name, one]): [string, unknown] => [`${group}.${name}`, one]),
    )
    .filter(([, value]) => value !== undefined)

/** Returns all settings by name, those with texts in other languages as `base.name.ko`. */
export const namedSettings = (settings: SiteSettings): Record<string, unknown> => ({
  ...Object.fromEntries(settingNames.map((name) => [name, readSetting(settings, name)])),
  translations: undefined,
  ...Object.fromEntries(
    Object.entries(settings.translations ?? {}).flatMap(([language, texts]) =>
      Object.entries(texts).map(([name, text]) => [`${name}.${language}`, text]),
    ),
  ),
})

/** Parses the name of a translated setting: `base.name.ko`. */
export const translatedName = (name: string): { language: string; setting: string } | null => {
  const setting = translatedSettings.find((prefix) => name.startsWith(`${prefix}.`))
  const language = name.slice((setting?.length ?? 0) + 1)
  return setting && locale.safeParse(language).success ? { language, setting } : null
}

/** Merges given translations into the existing ones; null removes one. */
const mergedTranslations = (existing: SiteSettings['translations'], translations: unknown): unknown => {
  if (!isObject(translations)) return translations
  const languages = new Set([...Object.keys(existing ?? {}), ...Object.keys(translations)])
  const merged = [...languages].map((language) => {
    const texts = translations[language] ?? {}
    const knownLocale = locale.safeParse(language).data
    const all = isObject(texts) ? { ...(knownLocale && existing?.[knownLocale]), ...texts } : texts
    const remaining = isObject(all)
      ? Object.fromEntries(Object.entries(all).filter(([, text]) => text !== null && text !== undefined))
      : all
    return [language, remaining] as const
  })
  return Object.fromEntries(merged.filter(([, texts]) => !isObject(texts) || Object.keys(texts).length > 0))
}

/** Whether the input changes redirect rules. */
export const namesRouteRules = (input: Record<string, unknown>): boolean =>
  input.routeRules !== undefined || input.redirectOrigins !== undefined

/**
 * Applies a change to settings. Returns the result, or all unknown names and invalid values.
 *
 * @param ownHosts Hosts of the store, which redirect rules must not target.
 */
export const checkSettings = (
  base: SiteSettings,
  input: Record<string, unknown>,
  ownHosts: readonly string[] = [],
): { settings: SiteSettings; problems: SettingProblem[]; changes: string[] } => {
  const settings = structuredClone(base)
  const problems: SettingProblem[] = []
  const named = flat(input)
    .filter(([field]) => field !== 'order.paymentOrigins')
    .map(([field, value]): [string, unknown] =>
      field === 'translations' ? [field, mergedTranslations(base.translations, value)] : [field, value],
    )
  for (const [field, value] of named) {
    if (!leaves.has(field)) {
      problems.push({ field, value, message: `is not a setting.${didYouMean(field, settingNames)}` })
      continue
    }
    const [group = '', name] = field.split('.')
    const before: unknown = Reflect.get(settings, group)
    Reflect.set(settings, group, name === undefined ? value : { ...(isObject(before) && before), [name]: value })
  }
  for (const [field, value] of named) {
    const leaf = leaves.get(field)
    if (!leaf) continue
    if (!leaf.safeParse(value).success || rules[field]?.ok(value, settings, readSetting(input, field)) === false)
      problems.push({ field, value, message: ruleMessage(field) })
  }
  if (problems.length === 0 && !settings.base.locales.includes(settings.base.locale))
    problems.push({ field: 'base.locale', value: settings.base.locale, message: 'must be one of base.locales' })
  const rule =
    problems.length === 0 &&
    namesRouteRules(input) &&
    routeRuleProblem(settings.routeRules, settings.redirectOrigins, ownHosts)
  if (rule) problems.push({ ...rule, field: `routeRules[${rule.at}].${rule.part}` })
  const changes = settingNames.filter(
    (name) => JSON.stringify(readSetting(settings, name)) !== JSON.stringify(readSetting(base, name)),
  )
  return { settings, problems, changes }
}
