import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { VideoId } from '#contract/ids.ts'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { failureOf } from '../../platform/failure'
import { useFormat } from '../../platform/format'
import { notify } from '../../platform/notifications'
import { actorName } from '../../ui/audit-text'
import { useConfirm } from '../../ui/confirm'
import { type EditedCue, readCues } from './cues'
import { captionsQuery } from './videos.queries'

interface CaptionVersionsProps {
  id: VideoId
  language: string
  /** Whether something is not saved that a version would replace. */
  isDirty: boolean
  /** Opens the captions of a version in the editor. Nothing is saved yet. */
  onOpen: (cues: EditedCue[]) => void
}

/** Chooses an earlier version of captions, where there is one. */
export function CaptionVersions({ id, language, isDirty, onOpen }: CaptionVersionsProps) {
  const { t } = useLingui()
  const { dateTime } = useFormat()
  const api = useAdminApi()
  const queryClient = useQueryClient()
  const versions = useQuery(captionsQuery(api, id, language)).data?.versions ?? []
  const open = async (file: string) => {
    try {
      const { webVtt } = await queryClient.fetchQuery(captionsQuery(api, id, language, file))
      onOpen(readCues(new TextEncoder().encode(webVtt), language))
    } catch (error) {
      notify('error', failureOf(error))
    }
  }
  const [chosen, setChosen] = useState<string>()
  const confirm = useConfirm({
    title: t`Replace what is not saved?`,
    text: t`Opening the earlier version replaces your changes in the editor.`,
    action: t`Open the version`,
    onConfirm: async () => {
      if (chosen) await open(chosen)
    },
  })
  const choose = (file: string) => {
    if (!isDirty) return void open(file)
    setChosen(file)
    confirm.ask()
  }
  if (versions.length === 0) return null
  // The file of captions that were published with the video has the name of its language.
  const unsaved = (file: string) => (file === language ? t`As first published` : t`Saved at an unknown time`)
  return (
    <>
      <Select
        label={t`Earlier versions`}
        value=""
        options={[
          { value: '', label: t`Open one to compare or save it…` },
          ...versions.map(({ file, savedAt, by }) => ({
            value: file,
            label: savedAt ? `${dateTime(savedAt)} · ${actorName(by ?? '')}` : unsaved(file),
          })),
        ]}
        onChange={({ target }) => choose(target.value)}
      />
      {confirm.dialog}
    </>
  )
}
