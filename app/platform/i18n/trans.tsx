import { Trans as LinguiTrans, type TransProps } from '@lingui/react'
import { createElement, Fragment } from 'react'

/**
 * Wraps text that contains `<` in an element, so that it is not parsed as one of the message's
 * elements.
 */
const asShown = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('<') ? createElement(Fragment, null, value) : value

/**
 * Replaces Lingui's `Trans` (`lingui.config.ts`). Lingui inserts values before it parses elements,
 * so that a visitor's `<b>` would be dropped or replace a link.
 */
export function Trans({ values, ...message }: TransProps) {
  const shown = values && Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asShown(value)]))
  return <LinguiTrans {...message} {...(shown && { values: shown })} />
}
