import { Plural, Trans } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { largestImportFile, maxImportFiles } from '#contract/admin/imports.ts'
import { customerBase, headers } from '#contract/http.ts'
import { type UploadId, uploadId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { useFormat } from '../../platform/format'
import { i18n } from '../../platform/i18n'
import { FileButton } from '../../ui/file-button'
import form from '../../ui/form.module.css'

/** Files that were sent in this tab, so that a check and its import send each once. */
const sent = new WeakMap<File, UploadId>()

const sendFile = async (store: string, file: File): Promise<UploadId> => {
  const { Upload } = await import('tus-js-client')
  return new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: `${customerBase(store)}/uploads`,
      headers: { [headers.console]: '1', 'accept-language': i18n.locale },
      metadata: { filename: file.name },
      retryDelays: [0, 1_000, 3_000],
      storeFingerprintForResuming: false,
      onSuccess: () => resolve(z.parse(uploadId, upload.url?.split('/').at(-1))),
      onError: reject,
    })
    upload.start()
  })
}

/** Sends files one after the other. `onSend` is called with the number of each. */
export const sendFiles = async (store: string, files: readonly File[], onSend: (number: number) => void) => {
  const uploads: { name: string; upload: UploadId }[] = []
  for (const [at, file] of files.entries()) {
    const earlier = sent.get(file)
    if (!earlier) onSend(at + 1)
    const upload = earlier ?? (await sendFile(store, file))
    sent.set(file, upload)
    uploads.push({ name: file.name, upload })
  }
  return uploads
}

/** The files of an import: those that fit, and the names of those that do not. */
export interface ChosenFiles {
  files: readonly File[]
  leftOut: readonly string[]
}

/** Adds files to those that are chosen. One of the same name takes the place of the other. */
export const addFiles = ({ files }: ChosenFiles, added: readonly File[]): ChosenFiles => {
  const fitting = added.filter(({ size }) => size > 0 && size <= largestImportFile)
  const byName = new Map([...files, ...fitting].map((file) => [file.name.normalize('NFC'), file]))
  const all = [...byName.values()]
  const tooMany = all.slice(maxImportFiles)
  const leftOut = [...added.filter((file) => !fitting.includes(file)), ...tooMany].map(({ name }) => name)
  return { files: all.slice(0, maxImportFiles), leftOut }
}

interface ImportFilesProps {
  chosen: ChosenFiles
  onChange: (chosen: ChosenFiles) => void
}

/** Chooses the pictures and files that the cells of a table name. */
export function ImportFiles({ chosen, onChange }: ImportFilesProps) {
  const { number, fileSize } = useFormat()
  const { files, leftOut } = chosen
  return (
    <>
      <p>
        <Trans>
          Its pictures and files: cells name them, for example poster.jpg. At most {number(maxImportFiles)} files of{' '}
          {fileSize(largestImportFile)} each.
        </Trans>
      </p>
      <div className={form.buttons}>
        <FileButton accept="" onChooseMany={(added) => onChange(addFiles(chosen, added))}>
          <Trans>Choose pictures and files</Trans>
        </FileButton>
        {files.length > 0 && (
          <>
            <Plural value={files.length} one="# file is chosen." other="# files are chosen." />
            <Button variant="ghost" onClick={() => onChange({ files: [], leftOut: [] })}>
              <Trans>Choose none</Trans>
            </Button>
          </>
        )}
      </div>
      {leftOut.length > 0 && (
        <Notice tone="warning">
          <Trans>
            Left out, because they are empty, too large or too many: <bdi>{leftOut.join(', ')}</bdi>
          </Trans>
        </Notice>
      )}
    </>
  )
}
