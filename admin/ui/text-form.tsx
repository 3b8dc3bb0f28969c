import { Trans } from '@lingui/react/macro'
import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button, type ButtonProps } from '~/ui/button'
import type { useWrite } from '../platform/use-write'
import { WriteRefusal } from './conflict'
import { onSubmit, Refusal } from './form'
import form from './form.module.css'
import { FormGuard } from './form-guard'
import { useOpenedForm } from './opened-form'
import { TextArea } from './text-field'

/** A write that takes one text. */
export type TextWrite = ReturnType<typeof useWrite<string, unknown>>

interface TextFormProps {
  label: string
  hint: string
  /** The API's name of the text, under which it reports errors. */
  name: string
  rows: number
  maxLength: number
  write: TextWrite
  submit: ReactNode
  variant?: ButtonProps['variant']
  size?: ButtonProps['size']
  /** Shows a button that closes the form. */
  onBack?: () => void
  /** The id of the button in whose place the form is: the focus moves from it and back. */
  openedBy?: string
  /** The object's key, where the write names its version. */
  conflictKey?: QueryKey
}

/** A form for one text, such as an answer or a note. It is empty again once the text is sent. */
export function TextForm({
  label,
  hint,
  name,
  rows,
  maxLength,
  write,
  submit,
  variant,
  size,
  onBack,
  openedBy,
  conflictKey,
}: TextFormProps) {
  const opened = useOpenedForm(openedBy)
  return (
    <form
      ref={opened}
      className={form.form}
      onSubmit={onSubmit((texts, element) => write.send(texts[name] ?? '', { onSuccess: () => element.reset() }))}
    >
      {conflictKey ? (
        <WriteRefusal failure={write.failure} queryKey={conflictKey} onLoaded={write.reset} />
      ) : (
        <Refusal failure={write.failure} />
      )}
      <FormGuard write={write} part={[name, openedBy].filter(Boolean).join(' ')} />
      <TextArea
        label={label}
        hint={hint}
        name={name}
        rows={rows}
        maxLength={maxLength}
        required
        error={write.failure?.fields[name]}
      />
      <div className={form.buttons}>
        <Button type="submit" variant={variant} size={size} loading={write.isPending}>
          {submit}
        </Button>
        {onBack && (
          <Button variant="ghost" size={size} onClick={onBack}>
            <Trans>Back</Trans>
          </Button>
        )}
      </div>
    </form>
  )
}
