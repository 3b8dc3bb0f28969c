import { useEffect, useState } from 'react'
import { Button } from './button'
import { VisuallyHidden } from './visibility'

export interface CopyButtonProps {
  text: string
  labels: {
    copy: string
    copied: string
    /** The accessible name: "Copy the account number". */
    what: string
  }
  /** Called when the clipboard is not available. */
  onFail?: (() => void) | undefined
}

/** Milliseconds that the confirmation is shown. */
const doneMilliseconds = 2_500

/** Copies a text and confirms it. */
export function CopyButton({ text, labels, onFail }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), doneMilliseconds)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true), onFail)
  return (
    <>
      <Button size="s" icon={copied ? 'check' : 'copy'} aria-label={labels.what} onClick={() => void copy()}>
        {copied ? labels.copied : labels.copy}
      </Button>
      <VisuallyHidden>
        <span role="status">{copied ? labels.copied : ''}</span>
      </VisuallyHidden>
    </>
  )
}
