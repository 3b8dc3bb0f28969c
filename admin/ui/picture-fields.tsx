import { Trans, useLingui } from '@lingui/react/macro'
import type { Editor } from '@tiptap/core'
import { useState } from 'react'
import { Button } from '~/ui/button'
import { TextField } from '~/ui/text-field'
import { useAdminApi } from '../platform/admin-api'
import { useWrite } from '../platform/use-write'
import { FileButton } from './file-button'
import { Refusal } from './form'
import form from './form.module.css'
import styles from './visual-editor.module.css'

interface Picture {
  src: string
  width: number
  height: number
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** A picture of the text, below the toolbar: a new one, or the description of the chosen one. */
export function PictureFields({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const isPresent = editor.isActive('picture')
  const present = editor.getAttributes('picture')
  const [alt, setAlt] = useState(textOf(present.alt))
  const [picture, setPicture] = useState<Picture | null>(null)
  const upload = useWrite((file: File) => api.admin.addPicture({ file }), {
    onDone: ({ url, width, height }) => setPicture({ src: url, width, height }),
  })
  const close = () => {
    editor.commands.focus()
    onClose()
  }
  const apply = () => {
    const chain = editor.chain().focus()
    const described = { ...picture, alt: alt.trim() }
    if (isPresent) chain.updateAttributes('picture', described).run()
    else if (picture) chain.insertContent({ type: 'picture', attrs: described }).run()
    onClose()
  }
  return (
    <div className={styles.picture}>
      {picture && <img className={styles.chosen} src={picture.src} alt={t`Preview`} />}
      <TextField
        label={t`What the picture shows`}
        hint={t`For people who do not see it. Leave it empty if the picture adds nothing to the text.`}
        value={alt}
        maxLength={300}
        onChange={({ target }) => setAlt(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close()
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          // The form around the editor is not sent.
          event.preventDefault()
          if (isPresent || picture) apply()
        }}
      />
      <Refusal failure={upload.failure} />
      <div className={form.buttons}>
        <FileButton accept="image/*" isPending={upload.isPending} onChoose={(file) => upload.send(file)}>
          {isPresent || picture ? <Trans>Another picture</Trans> : <Trans>Choose a picture</Trans>}
        </FileButton>
        {(isPresent || picture) && (
          <Button variant="primary" onClick={apply}>
            {isPresent ? <Trans>Change the picture</Trans> : <Trans>Insert the picture</Trans>}
          </Button>
        )}
        <Button variant="ghost" onClick={close}>
          <Trans>Back</Trans>
        </Button>
      </div>
    </div>
  )
}
