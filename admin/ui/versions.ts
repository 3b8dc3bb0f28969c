import type { Locale } from '#contract/enumerations.ts'
import { locale } from '#contract/enumerations.ts'
import type { AuditEntry } from './audit-text'
import { plainHtml } from './html-text'

/** Texts of an object by field: `body` in the store's own language, `body.ko` a translation. */
export type VersionTexts = Readonly<Record<string, string | null>>

type Translated = Partial<Record<Locale, Partial<Record<string, string>>>>

const isTranslated = (value: unknown): value is Translated =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Names the translations of an object as the audit log of content does. */
const flat = (field: string, value: unknown): Record<string, unknown> => {
  if (field !== 'translations') return { [field]: value }
  const texts: Record<string, unknown> = {}
  for (const [language, own] of Object.entries(isTranslated(value) ? value : {}))
    for (const [name, text] of Object.entries(own ?? {})) texts[`${name}.${language}`] = text
  return texts
}

/** Returns the present texts of an object with their translations. */
export const versionTexts = (
  names: readonly string[],
  values: Readonly<Record<string, string | null>>,
  translations: Translated,
): VersionTexts => {
  const all = { ...values, ...flat('translations', translations) }
  return Object.fromEntries(
    Object.entries(all).flatMap(([field, text]) =>
      names.includes(fieldOf(field).name) && (typeof text === 'string' || text === null) ? [[field, text]] : [],
    ),
  )
}

/** The name and the language of a field. The language is null for the store's own. */
export const fieldOf = (field: string): { name: string; language: Locale | null } => {
  const [name = field, suffix] = field.split('.')
  return { name, language: locale.options.find((each) => each === suffix) ?? null }
}

/**
 * Returns the texts as they were after an entry of the history, which is in order of time, latest
 * first. A text that did not exist is null.
 */
export const textsAfter = (
  entries: readonly AuditEntry[],
  id: AuditEntry['id'],
  names: readonly string[],
  present: VersionTexts,
): VersionTexts => {
  const texts: Record<string, string | null> = { ...present }
  for (const entry of entries) {
    if (entry.id === id) break
    for (const [field, { from, to }] of Object.entries(entry.changes)) {
      const [before, after] = [flat(field, from), flat(field, to)]
      for (const part of new Set([...Object.keys(before), ...Object.keys(after)])) {
        const text = before[part] ?? null
        if (names.includes(fieldOf(part).name) && (typeof text === 'string' || text === null)) texts[part] = text
      }
    }
  }
  return texts
}

/** Whether an entry of the history has changed one of the texts. */
export const changesTexts = ({ changes }: AuditEntry, names: readonly string[]): boolean =>
  Object.entries(changes).some(([field, { from, to }]) =>
    [...Object.keys(flat(field, from)), ...Object.keys(flat(field, to))].some((part) =>
      names.includes(fieldOf(part).name),
    ),
  )

/** Returns the fields whose texts differ. No text and an empty one are the same. */
export const differingFields = (one: VersionTexts, other: VersionTexts): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (field) => (one[field] || '') !== (other[field] || ''),
  )

/** Returns a change of the API: the texts of the store's language, and the translations. */
export const changeOf = <Name extends string>(
  names: readonly Name[],
  texts: VersionTexts,
): {
  own: Partial<Record<Name, string>>
  translations: Partial<Record<Locale, Partial<Record<Name, string | null>>>>
} => {
  const own: Partial<Record<Name, string>> = {}
  const translations: Partial<Record<Locale, Partial<Record<Name, string | null>>>> = {}
  for (const [field, text] of Object.entries(texts)) {
    const { name: found, language } = fieldOf(field)
    const name = names.find((each) => each === found)
    if (name === undefined) continue
    if (language === null) own[name] = text ?? ''
    else translations[language] = { ...translations[language], [name]: text }
  }
  return { own, translations }
}

/** Returns the words of HTML, a line for each block, to compare two texts. */
export const wordsOf = (html: string): string => {
  const page = new DOMParser().parseFromString(plainHtml(html), 'text/html')
  for (const each of page.querySelectorAll('script')) each.remove()
  for (const each of page.querySelectorAll('br')) each.replaceWith('\n')
  for (const block of page.querySelectorAll('p, li, h1, h2, h3, h4, h5, h6, tr, blockquote, dt, dd, figcaption, pre'))
    block.append('\n')
  return page.body.textContent
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim()
}
