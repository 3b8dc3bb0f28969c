import { Trans as LinguiTrans, type TransProps } from '@lingui/react'
import { createElement, Fragment, type ReactElement } from 'react'
import type { TextLanguages } from '#contract/translations.ts'

// The console's first script contains this file: it imports no schemas.

type Texts<Field extends string> = { languages?: TextLanguages | undefined } & Readonly<Record<Field, string | null>>

/**
 * A text of the store's content with its own direction, and with `lang` where it is not in the
 * page's language. Can be used in messages: `<Trans>All {storeText(category, 'name')}</Trans>`.
 */
export const storeText = <Field extends string>(row: Texts<Field>, field: Field): ReactElement => (
  <bdi lang={row.languages?.[field]}>{row[field]}</bdi>
)

/** Joins store texts to a list with the page language's separators. */
export const storeTextList = (locale: string, texts: readonly ReactElement[]): ReactElement => (
  <>
    {new Intl.ListFormat(locale)
      .formatToParts(texts.map((_, at) => String(at)))
      .map(({ type, value }) => (type === 'element' ? <Fragment key={value}>{texts[Number(value)]}</Fragment> : value))}
  </>
)

/**
 * Wraps text that contains `<` in an element, so that it is not parsed as one of the message's
 * elements.
 */
const asShown = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('<') ? createElement(Fragment, null, value) : value

/**
 * Replaces Lingui's `Trans` in every component (`lingui.config.ts`). Lingui inserts values before
 * it parses elements, so that a visitor's `<b>` would be dropped or replace a link.
 */
export function Trans({ values, ...message }: TransProps) {
  const shown = values && Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asShown(value)]))
  return <LinguiTrans {...message} {...(shown && { values: shown })} />
}
