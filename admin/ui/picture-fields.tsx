import { Trans, useLingui } from '@lingui/react/macro'
import type { Editor } from '@tiptap/core'
import { Button } from '~/ui/button'
import { useAdminApi } from '../platform/admin-api'
import { notify } from '../platform/notifications'
import { useWrite } from '../platform/use-write'
import { pictureCaptionState, setPicture, togglePictureCaption } from './caption-nodes'
import { FileButton } from './file-button'
import { Refusal } from './form'
import form from './form.module.css'
import { TextField } from './text-field'
import styles from './visual-editor.module.css'

/** Uploads a picture into the text of an editor. */
export const usePictureUpload = (editor: Editor) => {
  const { t } = useLingui()
  const api = useAdminApi()
  return useWrite((file: File) => api.admin.addPicture({ file }), {
    onDone: ({ url, width, height }) => {
      if (editor.isDestroyed) return notify('error', t`The picture was not inserted because its text was closed.`)
      // Without a description it adds nothing to the text.
      const alt = editor.isActive('picture') ? {} : { alt: '' }
      setPicture(editor, { src: url, width, height, ...alt })
    },
  })
}

interface PictureFieldsProps {
  editor: Editor
  upload: ReturnType<typeof usePictureUpload>
  onClose: () => void
}

/**
 * A picture of the text, below the toolbar: a new one, or the selected one. Each change is in the
 * text at once, so that none is lost when it is saved.
 */
export function PictureFields({ editor, upload, onClose }: PictureFieldsProps) {
  const { t } = useLingui()
  const isPresent = editor.isActive('picture')
  const alt: unknown = editor.getAttributes('picture').alt
  const caption = pictureCaptionState(editor)
  const close = () => {
    editor.commands.focus()
    onClose()
  }
  return (
    <div className={styles.picture}>
      {isPresent && (
        <TextField
          label={t`What the picture shows`}
          hint={t`For people who do not see it. Leave it empty if the picture adds nothing to the text.`}
          value={typeof alt === 'string' ? alt : ''}
          maxLength={300}
          onChange={({ target }) => setPicture(editor, { alt: target.value })}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
            // The form around the editor is not sent.
            event.preventDefault()
            close()
          }}
        />
      )}
      {upload.isPending && (
        // Saving waits until the picture is in the text.
        <TextField
          label={t`Picture`}
          value={t`Uploading…`}
          onChange={() => {}}
          ref={(input) => input?.setCustomValidity(t`Wait until the picture is uploaded.`)}
        />
      )}
      <Refusal failure={upload.failure} />
      <div className={form.buttons}>
        <FileButton accept="image/*" isPending={upload.isPending} onChoose={(file) => upload.send(file)}>
          {isPresent ? <Trans>Another picture</Trans> : <Trans>Choose a picture</Trans>}
        </FileButton>
        {isPresent && caption !== 'IMPOSSIBLE' && (
          <Button onClick={() => togglePictureCaption(editor)}>
            {caption === 'PRESENT' ? <Trans>Remove caption</Trans> : <Trans>Add caption</Trans>}
          </Button>
        )}
        <Button variant={isPresent ? 'primary' : 'ghost'} onClick={close}>
          {isPresent ? <Trans>Done</Trans> : <Trans>Back</Trans>}
        </Button>
      </div>
    </div>
  )
}
