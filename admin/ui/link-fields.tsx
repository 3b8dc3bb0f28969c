import { Trans, useLingui } from '@lingui/react/macro'
import type { Editor } from '@tiptap/core'
import { useState } from 'react'
import { Button } from '~/ui/button'
import { TextField } from '~/ui/text-field'
import form from './form.module.css'
import styles from './visual-editor.module.css'

const isAddress = (text: string) => /^(?:https?:\/\/\S+|mailto:\S+|tel:\S+|\/\S*)$/i.test(text)

/** The address of a link, below the toolbar. */
export function LinkFields({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const { t } = useLingui()
  const present: unknown = editor.getAttributes('link').href
  const [address, setAddress] = useState(typeof present === 'string' ? present : '')
  const [isInvalid, setInvalid] = useState(false)
  const isPending = address.trim() !== (typeof present === 'string' ? present : '')
  const close = () => {
    editor.commands.focus()
    onClose()
  }
  const apply = () => {
    // `example.com` is meant as a site.
    const typed = address.trim()
    const href = /^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(typed) ? `https://${typed}` : typed
    if (!isAddress(href)) return setInvalid(true)
    const { empty, to } = editor.state.selection
    const chain = editor.chain().focus()
    if (empty && present === undefined)
      chain
        .insertContent(href)
        .setTextSelection({ from: to, to: to + href.length })
        .setLink({ href })
        .setTextSelection(to + href.length)
    else chain.extendMarkRange('link').setLink({ href }).setTextSelection(to)
    // What is typed next is no part of the link.
    chain.unsetMark('link').run()
    onClose()
  }
  return (
    <div className={styles.link}>
      <TextField
        label={t`Address of the link`}
        value={address}
        dir="ltr"
        autoFocus
        // It is not lost when the form around the editor is sent.
        ref={(input) => input?.setCustomValidity(isPending ? t`Set the link first, or go back.` : '')}
        error={isInvalid ? t`Type an address such as https://example.com or /plans.` : undefined}
        onChange={({ target }) => {
          setAddress(target.value)
          setInvalid(false)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close()
          if (event.key !== 'Enter') return
          // The form around the editor is not sent.
          event.preventDefault()
          apply()
        }}
      />
      <div className={form.buttons}>
        <Button onClick={apply}>
          <Trans>Set link</Trans>
        </Button>
        {typeof present === 'string' && (
          <Button
            variant="ghost"
            onClick={() => {
              editor.chain().focus().extendMarkRange('link').unsetLink().run()
              onClose()
            }}
          >
            <Trans>Remove link</Trans>
          </Button>
        )}
        <Button variant="ghost" onClick={close}>
          <Trans>Back</Trans>
        </Button>
      </div>
    </div>
  )
}
