import { Trans, useLingui } from '@lingui/react/macro'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  largestAttachment,
  largestUploadedAttachment,
  type StoreProductParts,
  storeProductParts,
} from '#contract/admin/products.ts'
import type { ProductCode, UploadId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useSettings } from '../../platform/settings'
import { addUploads } from '../../platform/uploads'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { useReorder } from '../../ui/drag-item'
import { FileButton } from '../../ui/file-button'
import { onSubmit, Refusal, type Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDraft, heldState } from '../../ui/form-draft'
import { Section } from '../../ui/page'
import { offeredTexts } from '../../ui/store-languages'
import { TextArea, TextField } from '../../ui/text-field'
import { TranslatedFields } from '../../ui/translated-fields'
import { UnsavedChanges } from '../../ui/unsaved-changes'
import { DraggedPart, PartButtons, useRemoval } from './part-buttons'
import styles from './products.module.css'

/** Milliseconds. The API reads a large file, and may have to send it to another storage. */
const attachTimeout = 15 * 60_000

/** Adds a file: a large one is uploaded in parts, as videos are. Returns the maximum size too. */
const useAddFile = (code: ProductCode, changes: readonly QueryKey[], isDirty: boolean) => {
  const { t } = useLingui()
  const { fileSize } = useFormat()
  const api = useAdminApi()
  const mayUpload = useMay()('videos:write')
  const queryClient = useQueryClient()
  const [tooLarge, setTooLarge] = useState<string>()
  const add = useWrite((file: File) => api.admin.products.addAttachment({ code, file }), {
    done: t`File added`,
    changes,
  })
  // Read when an upload ends: what is typed then must not be replaced.
  const isTyping = useRef(false)
  useEffect(() => {
    isTyping.current = isDirty
    return () => {
      isTyping.current = false
    }
  }, [isDirty])
  const attach = async (upload: UploadId) => {
    await api.admin.products.attachUpload({ code, upload }, { context: { timeout: attachTimeout } })
    if (!isTyping.current) for (const queryKey of changes) void queryClient.invalidateQueries({ queryKey })
  }
  const choose = (file: File) => {
    setTooLarge(undefined)
    if (file.size > (mayUpload ? largestUploadedAttachment : largestAttachment)) return setTooLarge(file.name)
    if (file.size <= largestAttachment) return add.send(file)
    addUploads([{ file, attachment: { code, add: attach } }])
  }
  const size = fileSize(mayUpload ? largestUploadedAttachment : largestAttachment)
  return { choose, size, tooLarge, failure: add.failure, isPending: add.isPending }
}

type StoreAttachment = StoreProductParts['attachments'][number]

interface AttachmentFieldsProps {
  file: StoreAttachment
  onChange: (file: StoreAttachment) => void
  errors: Texts
  /** The beginning of the names of its errors. */
  path: string
}

/** What buyers read of a file, in each language of the store. */
function AttachmentFields({ file, onChange, errors, path }: AttachmentFieldsProps) {
  const { t } = useLingui()
  const { name, confirmationText, translations } = file
  const acceptedText = {
    name: 'confirmationText' as const,
    label: t`Text to accept before the download`,
    maxLength: 2000,
    rows: 2,
  }
  return (
    <>
      <TextField
        label={t`Name`}
        value={name}
        onChange={({ target }) => onChange({ ...file, name: target.value })}
        maxLength={180}
        required
        error={errors[`${path}.name`]}
      />
      <TextArea
        label={acceptedText.label}
        rows={2}
        value={confirmationText ?? ''}
        onChange={({ target }) => onChange({ ...file, confirmationText: target.value })}
        maxLength={2000}
        error={errors[`${path}.confirmationText`]}
      />
      <TranslatedFields
        texts={[
          { name: 'name', label: t`Name`, own: name, maxLength: 180 },
          ...(confirmationText ? [{ ...acceptedText, own: confirmationText }] : []),
        ]}
        values={translations}
        onChange={(changed) => onChange({ ...file, translations: changed })}
        errors={errors}
        path={`${path}.`}
      />
    </>
  )
}

/** The files that buyers download, in their order. */
export function AttachmentSection({ code, parts }: { code: ProductCode; parts: StoreProductParts }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const { fileSize } = useFormat()
  const { base: languages } = useSettings()
  const isAllowed = useMay()('products:write')
  const [files, setFiles] = useState(parts.attachments)
  const [isDirty, setDirty] = useState(false)
  const edit = (changed: typeof files) => {
    setFiles(changed)
    setDirty(true)
  }
  const changes = [['product-parts', code], ['product', code], ['products']]
  const save = useWrite(
    () =>
      api.admin.products.changeParts(
        {
          code,
          attachments: files.map(({ id, name, confirmationText, translations }) => ({
            id,
            name,
            confirmationText: confirmationText?.trim() || null,
            translations: offeredTexts(translations, languages),
          })),
        },
        { context: { ifMatch: parts.version } },
      ),
    { done: t`Files saved`, changes, onDone: () => setDirty(false) },
  )
  const removed = parts.attachments.filter(({ id }) => files.every((file) => file.id !== id))
  const { submit, dialog } = useRemoval({
    code,
    title: t`Delete the removed files?`,
    names: removed.map(({ name }) => name),
    action: t`Save files`,
    isLoss: removed.length > 0,
    save,
  })
  const list = useReorder(files, edit, isAllowed)
  const { choose, size, tooLarge, failure, isPending } = useAddFile(code, changes, isDirty)
  return (
    <Section title={<Trans>Files</Trans>}>
      <p className={styles.when}>
        <Trans>Buyers download them. Each has at most {size}.</Trans>
      </p>
      <form className={styles.options} onSubmit={onSubmit(submit)}>
        {isAllowed && (
          <FormDraft
            queryKey={['product-parts', code]}
            part="files"
            isDirty={isDirty}
            held={heldState(files, storeProductParts.shape.attachments, edit)}
          />
        )}
        {files.map((file, at) => {
          const { id, name, bytes } = file
          return (
            <DraggedPart
              key={id}
              className={styles.lesson}
              at={at}
              list={list}
              title={
                <>
                  <bdi>{name}</bdi> · {fileSize(bytes)}
                </>
              }
            >
              {isAllowed && <PartButtons title={name} items={files} at={at} onChange={edit} />}
              <AttachmentFields
                file={file}
                onChange={(changed) => edit(files.with(at, changed))}
                errors={save.failure?.fields ?? {}}
                path={`attachments.${at}`}
              />
            </DraggedPart>
          )
        })}
        <WriteRefusal failure={save.failure} queryKey={['product-parts', code]} onLoaded={save.reset} />
        <Refusal failure={failure} />
        {tooLarge && (
          <Notice tone="danger">
            <Trans>
              <bdi>{tooLarge}</bdi> is larger than {size}.
            </Trans>
          </Notice>
        )}
        {isAllowed && (
          <div className={form.buttons}>
            {isDirty && (
              <Button type="submit" variant="primary" loading={save.isPending}>
                <Trans>Save files</Trans>
              </Button>
            )}
            {!isDirty && (
              <FileButton accept="*" isPending={isPending} onChoose={choose}>
                <Trans>Add a file</Trans>
              </FileButton>
            )}
          </div>
        )}
      </form>
      {dialog}
      <UnsavedChanges when={isDirty} />
    </Section>
  )
}
