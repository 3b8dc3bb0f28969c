import { Fragment, type ReactElement } from 'react'
import type { TextLanguages } from '#contract/translations.ts'
import { langOf } from './locales'

type Texts<Field extends string> = { languages?: TextLanguages | undefined } & Readonly<Record<Field, string | null>>

/**
 * A text of the store's content with its own direction, and with `lang` where it is not in the language of the page. It also stands in
 * messages: `<Trans>All {storeText(category, 'name')}</Trans>`.
 */
export const storeText = <Field extends string>(row: Texts<Field>, field: Field): ReactElement => (
  <bdi lang={langOf(row, field)}>{row[field]}</bdi>
)

/** Several of them as a list in the page's language: each keeps its own, the words between them are the page's. */
export const storeTextList = (locale: string, texts: readonly ReactElement[]): ReactElement => (
  <>
    {new Intl.ListFormat(locale)
      .formatToParts(texts.map((_, at) => String(at)))
      .map(({ type, value }) => (type === 'element' ? <Fragment key={value}>{texts[Number(value)]}</Fragment> : value))}
  </>
)
