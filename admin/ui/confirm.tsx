import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '~/ui/button'
import { TextField } from '~/ui/text-field'
import { LazyDialog } from './lazy-dialog'

interface ConfirmOptions {
  title: string
  /** What the action does, if the title does not say it. */
  text?: ReactNode
  /** The label of the button that runs the action. */
  action: string
  /** What must be typed first, for what is deleted for good. */
  word?: string | undefined
  /** The dialog closes when the promise settles. */
  onConfirm: () => Promise<unknown>
}

interface WordFieldProps {
  word: string
  typed: string
  onType: (typed: string) => void
}

/** The field in which a word is typed before something is deleted for good. */
export function WordField({ word, typed, onType }: WordFieldProps) {
  const { t } = useLingui()
  return (
    <TextField
      label={t`Type ${word} to confirm`}
      value={typed}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onChange={({ target }) => onType(target.value)}
    />
  )
}

/** Confirms an action that cannot be undone. Returns the dialog, to be rendered. */
export const useConfirm = ({ title, text, action, word, onConfirm }: ConfirmOptions) => {
  const { t } = useLingui()
  const formId = useId()
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [isPending, setPending] = useState(false)
  const isTyped = word === undefined || typed.trim() === word.trim()
  const close = () => setOpen(false)
  const confirm = async () => {
    setPending(true)
    // The write itself reports its failure.
    await onConfirm().catch(() => {})
    setPending(false)
    close()
  }
  const dialog = isOpen && (
    <LazyDialog
      open
      alert
      onClose={close}
      title={title}
      closeLabel={t`Close`}
      footer={
        <>
          <Button variant="ghost" onClick={close}>
            <Trans>Back</Trans>
          </Button>
          <Button
            variant="danger"
            loading={isPending}
            disabled={!isTyped}
            {...(word === undefined ? { onClick: () => void confirm() } : { type: 'submit', form: formId })}
          >
            {action}
          </Button>
        </>
      }
    >
      {text}
      {word !== undefined && (
        <form
          id={formId}
          onSubmit={(event) => {
            event.preventDefault()
            // A form around the dialog is not sent.
            event.stopPropagation()
            if (isTyped && !isPending) void confirm()
          }}
        >
          <WordField word={word} typed={typed} onType={setTyped} />
        </form>
      )}
    </LazyDialog>
  )
  const ask = () => {
    setTyped('')
    setOpen(true)
  }
  return { ask, dialog }
}
