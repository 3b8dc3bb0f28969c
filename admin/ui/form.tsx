import { useLingui } from '@lingui/react/macro'
import type { FormEvent } from 'react'
import { Notice } from '~/ui/notice'
import { type Failure, failureText } from '../platform/failure'

/** The texts of a form's fields by their names. A checkbox that is not checked is absent. */
export type Texts = Readonly<Record<string, string | undefined>>

const textsOf = (form: HTMLFormElement): Texts =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )

/** A form's handler that reads its texts. */
export const onSubmit =
  (send: (texts: Texts, form: HTMLFormElement) => void) =>
  (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    send(textsOf(event.currentTarget), event.currentTarget)
  }

/** Why a write was refused, above the fields of its form. */
export function Refusal({ failure }: { failure: Failure | undefined }) {
  const { i18n } = useLingui()
  if (!failure) return null
  return (
    <Notice tone="danger" urgent>
      {failureText(i18n, failure)}
    </Notice>
  )
}
