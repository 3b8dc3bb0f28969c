import { Trans, useLingui } from '@lingui/react/macro'
import { type ComponentProps, type FormEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { PasswordField as SharedPasswordField } from '~/ui/text-field'
import { type Failure, failureText } from '../platform/failure'
import styles from './form.module.css'
import { TextField } from './text-field'

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

/**
 * Why a write was refused, above the fields of its form. Errors that no field of the form shows are
 * listed here.
 */
export function Refusal({ failure }: { failure: Failure | undefined }) {
  const { i18n } = useLingui()
  const place = useRef<HTMLDivElement>(null)
  const [missing, setMissing] = useState('')
  useLayoutEffect(() => {
    const form = place.current?.closest('form, dialog, [role=dialog], [role=alertdialog], section, main')
    const shown = form?.textContent.replace(place.current?.textContent ?? '', '') ?? ''
    const errors = Object.values(failure?.fields ?? {}).filter((error) => error !== undefined)
    setMissing(errors.filter((error) => !shown.includes(error)).join(' '))
  }, [failure])
  if (!failure) return null
  return (
    <div ref={place}>
      <Notice tone="danger" urgent>
        {missing || failureText(i18n, failure)}
      </Notice>
    </div>
  )
}

interface FormButtonsProps {
  isPending: boolean
  onBack: () => void
  /** The button that sends the form. */
  children?: ReactNode
}

/** The buttons at the end of a form that was opened in its place. */
export function FormButtons({ isPending, onBack, children = <Trans>Save</Trans> }: FormButtonsProps) {
  return (
    <div className={styles.buttons}>
      <Button type="submit" variant="primary" loading={isPending}>
        {children}
      </Button>
      <Button variant="ghost" onClick={onBack}>
        <Trans>Back</Trans>
      </Button>
    </div>
  )
}

/** The code of a product or a plan. Its pattern is the one of the contract. */
export const CodeField = (props: Omit<ComponentProps<typeof TextField>, 'pattern' | 'maxLength' | 'dir'>) => (
  <TextField {...props} pattern="[A-Za-z0-9][A-Za-z0-9\-]*" maxLength={64} dir="ltr" />
)

type PasswordFieldProps = Partial<Omit<ComponentProps<typeof SharedPasswordField>, 'labels'>>

/** A password field of a form. By default it asks for the present password of the account. */
export function PasswordField(props: PasswordFieldProps) {
  const { t } = useLingui()
  return (
    <SharedPasswordField
      label={t`Password`}
      name="password"
      required
      {...props}
      labels={{ show: t`Show password`, hide: t`Hide password` }}
    />
  )
}
