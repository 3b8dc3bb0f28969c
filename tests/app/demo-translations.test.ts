import { expect, test } from 'vitest'
import type { Locale } from '#contract/enumerations.ts'
import { translatedSettings } from '#contract/tenancy.ts'
import { CHAPTERS } from '#demo/content/chapters.ts'
import type { DemoCategory, DemoTenant } from '#demo/content/model/types.ts'
import { DEMO_TENANTS } from '#demo/content/tenants.ts'

/**
 * A text of the store's content: its place, the text, and, for a long text, the key of its
 * translations.
 */
type Text = readonly [where: string, text: string | undefined, body?: string]

const categoryNames = (categories: readonly DemoCategory[]): Text[] =>
  categories.flatMap(({ slug, name, children = [] }) => [
    [`category ${slug}`, name] as const,
    ...categoryNames(children),
  ])

/** All texts of a store that visitors read and that can be translated. */
const textsOf = (store: DemoTenant): Text[] => [
  ...categoryNames(store.categories),
  ...store.products.flatMap(({ code, title, summary, story, tags, options, lessons, attachments }): Text[] => [
    [`${code} title`, title],
    [`${code} summary`, summary],
    [`${code} story`, story, code],
    ...tags.map((tag): Text => [`${code} tag`, tag]),
    ...(options ?? []).map(({ name }): Text => [`${code} option`, name]),
    ...(lessons ?? []).flatMap((lesson): Text[] => [
      [`${code} lesson`, lesson.title],
      [`${code} lesson summary`, lesson.summary],
    ]),
    ...(attachments ?? []).flatMap(({ name, confirmation }): Text[] => [
      [`${code} file`, name],
      [`${code} confirmation`, confirmation],
    ]),
  ]),
  ...store.plans.flatMap(({ code, name, summary, benefits }): Text[] => [
    [`${code} name`, name],
    [`${code} summary`, summary],
    ...benefits.map((benefit): Text => [`${code} benefit`, benefit]),
  ]),
  ...store.banners.flatMap(({ title, text, label, prose }): Text[] => [
    ['banner title', title],
    ['banner text', text],
    ['banner label', label],
    ['banner prose', prose, title],
  ]),
  ...store.notices.flatMap(({ title, body, attachments }): Text[] => [
    ['notice', title],
    ['notice body', body, title],
    ...(attachments ?? []).map(({ name }): Text => ['notice file', name]),
  ]),
  ...store.faq.flatMap(({ group, question, answer }): Text[] => [
    ['question group', group],
    ['question', question],
    ['answer', answer, question],
  ]),
  ...store.pages.flatMap(({ type, title, body }): Text[] => [
    ['page title', title],
    ['page body', body, type],
  ]),
]

const untranslated = (store: DemoTenant, language: Locale): string[] => {
  const contentTexts = textsOf(store).filter(
    ([, text, body]) => text && !(body ? store.bodies?.[language]?.[body] : store.phrases?.get(text)?.[language]),
  )
  const settings = translatedSettings.filter((name) => {
    const [group = '', ...path] = name.split('.')
    const translated = path.reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | null)?.[key],
      store.settings[group as keyof typeof store.settings],
    )
    return translated && !store.settings.translations?.[language]?.[name]
  })
  return [...contentTexts.map(([where, text]) => `${where}: ${text?.slice(0, 60)}`), ...settings]
}

const storeOf = (code: string) => DEMO_TENANTS.find((tenant) => tenant.code === code)!

test.each([
  ['aurora', 'ko'],
  ['aurora', 'ja'],
  ['hangang', 'en'],
] as const)('the demo store %s has all its content in %s', (code, language) => {
  const store = storeOf(code)
  expect(textsOf(store).length).toBeGreaterThan(400)
  expect(untranslated(store, language)).toEqual([])
})

test.each([
  ['aurora', ['ko', 'ja']],
  ['hangang', ['en']],
] as const)('translations of the demo store %s each belong to a text of the store', (code, languages) => {
  const store = storeOf(code)
  const names = new Set(textsOf(store).map(([, , body]) => body))
  for (const language of languages)
    expect(Object.keys(store.bodies?.[language] ?? {}).filter((name) => !names.has(name))).toEqual([])
  const texts = new Set(textsOf(store).map(([, text]) => text))
  expect([...(store.phrases?.keys() ?? [])].filter((text) => !texts.has(text))).toEqual([])
})

test('the demo’s chapters have a title in each language of its two large stores', () => {
  for (const chapters of Object.values(CHAPTERS))
    for (const { title } of chapters) expect(Object.keys(title).toSorted()).toEqual(['en', 'ja', 'ko'])
})
