import { useEffect, useState } from 'react'
import { Button } from './button'
import { VisuallyHidden } from './visibility'

export interface CopyButtonProps {
  /** What is put on the clipboard. */
  text: string
  labels: {
    copy: string
    copied: string
    /** What is copied, for those who do not see what stands beside the button: "Copy the account number". */
    what: string
  }
  /** The clipboard may be closed to the page. */
  onFail?: (() => void) | undefined
}

/** How long it says that it is done. */
const doneFor = 2_500

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ text, labels, onFail }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), doneFor)
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
