import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { largestNoticeFile, maxNoticeFiles, type StoreNotice } from '#contract/admin/content.ts'
import { IconButton } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'
import { WriteRefusal } from '../../ui/conflict'
import { moved } from '../../ui/drag-item'
import { FileButton } from '../../ui/file-button'
import { Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { MoveButtons } from '../../ui/move-buttons'
import { Section } from '../../ui/page'
import { RemovableRows } from '../../ui/row-focus'

/** The files of a notice in their order. Each change is saved at once. */
export function NoticeFiles({ notice: { id, attachments, version } }: { notice: StoreNotice }) {
  const { t } = useLingui()
  const { fileSize } = useFormat()
  const size = fileSize(largestNoticeFile)
  const api = useAdminApi()
  const isAllowed = useMay()('content:write')
  const queryKey = ['notice', id]
  const changes = [queryKey, ['notices']]
  const save = useWrite(
    (files: StoreNotice['attachments']) =>
      api.admin.notices.change(
        { id, attachments: files.map(({ url, name }) => ({ url, name })) },
        { context: { ifMatch: version } },
      ),
    { done: t`Files saved`, changes },
  )
  const add = useWrite((file: File) => api.admin.notices.addFile({ id, file }), { done: t`File added`, changes })
  const [chosen, setChosen] = useState<StoreNotice['attachments'][number]>()
  const chosenName = chosen?.name ?? ''
  const confirm = useConfirm({
    title: t`Remove ${chosenName}?`,
    action: t`Remove`,
    onConfirm: () => save.sendAsync(attachments.filter(({ url }) => url !== chosen?.url)),
  })
  const stepTo = (at: number, to: number) =>
    to < 0 || to >= attachments.length
      ? undefined
      : () => save.send(moved(attachments, at, to, to < at ? 'BEFORE' : 'AFTER'))
  return (
    <Section title={<Trans>Files</Trans>}>
      <div className={form.fields}>
        {attachments.length === 0 && (
          <p>
            <Trans>Visitors download them below the text. Each has at most {size}.</Trans>
          </p>
        )}
        <RemovableRows
          items={attachments.map((file, at) => {
            const { name, bytes, url } = file
            return {
              key: url,
              title: (
                <a href={url} download={name}>
                  <bdi>{name}</bdi>
                </a>
              ),
              detail: fileSize(bytes),
              end: isAllowed && (
                <>
                  <MoveButtons name={name} onUp={stepTo(at, at - 1)} onDown={stepTo(at, at + 1)} />
                  <IconButton
                    icon="trash"
                    label={t`Remove ${name}`}
                    onClick={() => {
                      setChosen(file)
                      confirm.ask()
                    }}
                  />
                </>
              ),
            }
          })}
        />
        {confirm.dialog}
        <WriteRefusal failure={save.failure} queryKey={queryKey} onLoaded={save.reset} />
        <Refusal failure={add.failure} />
        {isAllowed && attachments.length < maxNoticeFiles && (
          <div className={form.buttons}>
            <FileButton accept="*" isPending={add.isPending} onChoose={(file) => add.send(file)}>
              <Trans>Add a file</Trans>
            </FileButton>
          </div>
        )}
      </div>
    </Section>
  )
}
