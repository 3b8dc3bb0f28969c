import { Trans as LinguiTrans, type TransProps } from '@lingui/react'
import { createElement, Fragment } from 'react'

/** Text with a `<` in it could read as one of the message's own elements; as an element of its own it is shown as it is. */
const asShown = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('<') ? createElement(Fragment, null, value) : value

/**
 * A message with elements in it. The library puts values into the message first and looks for elements then, so that a visitor's `<b>`
 * would be dropped, or take the place of a link. The macro `Trans` becomes this one (`lingui.config.ts`).
 */
export function Trans({ values, ...message }: TransProps) {
  const shown = values && Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asShown(value)]))
  return <LinguiTrans {...message} {...(shown && { values: shown })} />
}
