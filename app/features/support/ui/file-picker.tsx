import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useId, useRef } from 'react'
import { filesOfInquiry, largestInquiryFile, longestFileName } from '#contract/support.ts'
import { SignInAgain } from '~/parts/refusal'
import { isSignedOut } from '~/platform/api/problem'
import { useFormat } from '~/platform/format/use-format'
import { IconButton } from '~/ui/button'
import { FieldError, useEarlyInput } from '~/ui/field'
import { Icon } from '~/ui/icon'
import { ProgressBar } from '~/ui/progress'
import type { Upload, Uploads } from '../use-uploads'
import styles from './file-picker.module.css'

/**
 * The files of a message with their sizes and progress. Without JavaScript a plain field of the
 * form.
 */
export function FilePicker({ uploads: { uploads, tooMany, add, remove } }: { uploads: Uploads }) {
  const { t } = useLingui()
  const format = useFormat()
  const id = useId()
  const largest = format.bytes(largestInquiryFile)
  const field = useRef<HTMLInputElement>(null)
  const addChosen = () => {
    if (!field.current?.files?.length) return
    add([...field.current.files])
    field.current.value = ''
  }
  useEarlyInput(addChosen)
  const full = uploads.length >= filesOfInquiry
  return (
    <div className={styles.picker}>
      <label className={styles.label} htmlFor={id}>
        <Icon name="paperclip" size="m" />
        {t`Add files`}
      </label>
      <input
        ref={field}
        id={id}
        type="file"
        name="files"
        multiple
        disabled={full}
        className={styles.input}
        aria-describedby={`${id}-hint`}
        onChange={addChosen}
      />
      <p id={`${id}-hint`} className={styles.hint}>
        {t`Up to ${plural(filesOfInquiry, { one: '# file', other: '# files' })} of ${largest} each, such as a screenshot.`}
      </p>
      <FieldError id={id} error={tooMany ? t`You can attach up to ${filesOfInquiry} files.` : undefined} />
      {uploads.length > 0 && (
        <ul className={styles.files}>
          {uploads.map((upload) => (
            <FileLine key={upload.key} upload={upload} onRemove={() => remove(upload.key)} />
          ))}
        </ul>
      )}
    </div>
  )
}

function FileLine({ upload: { name, bytes, state }, onRemove }: { upload: Upload; onRemove: () => void }) {
  const { t } = useLingui()
  const format = useFormat()
  const failure = (code: string) => {
    if (code === 'EMPTY') return t`This file is empty.`
    if (code === 'NAME_TOO_LONG') return t`The file name is too long. Use up to ${longestFileName} characters.`
    if (code === 'PAYLOAD_TOO_LARGE')
      return t`This file is too large. The limit is ${format.bytes(largestInquiryFile)}.`
    if (code === 'RATE_LIMITED') return t`Too many files. Try again in an hour.`
    return t`Upload failed. Remove the file and add it again.`
  }
  return (
    <li className={styles.file} data-state={state.name}>
      <Icon name={state.name === 'failed' ? 'error' : state.name === 'sent' ? 'success' : 'paperclip'} size="m" />
      <div className={styles.words}>
        <p className={styles.name}>
          <bdi>{name}</bdi> <span className={styles.size}>{format.bytes(bytes)}</span>
        </p>
        {state.name === 'sending' && <ProgressBar fraction={state.fraction} label={t`Uploading ${name}`} />}
        {state.name === 'failed' && (
          <p role="alert" className={styles.fault}>
            {isSignedOut(state.code) ? <SignInAgain /> : failure(state.code)}
          </p>
        )}
      </div>
      <IconButton icon="close" size="s" label={t`Remove ${name}`} onClick={onRemove} />
    </li>
  )
}
