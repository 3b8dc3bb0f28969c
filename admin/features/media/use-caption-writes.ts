import { useLingui } from '@lingui/react/macro'
import type { StoreVideo } from '#contract/admin/videos.ts'
import { useAdminApi } from '../../platform/admin-api'
import { useWrite } from '../../platform/use-write'
import type { CaptionEdits } from './caption-edits'
import { writeCues } from './cues'
import { videoQuery } from './videos.queries'

interface CaptionWrites {
  video: StoreVideo
  language: string
  label: string
  edits: CaptionEdits
  onSaved: (video: StoreVideo) => void
  onRemoved: () => void
}

/** What is saved of the captions of a language, and how they are removed. */
export const useCaptionWrites = ({ video, language, label, edits, onSaved, onRemoved }: CaptionWrites) => {
  const { t } = useLingui()
  const api = useAdminApi()
  const { videos } = api.admin
  const path = { id: video.id, language }
  const at = { context: { ifMatch: video.version } }
  const changes = [['product']]
  const answers = (saved: StoreVideo) => [videoQuery(api, video.id).queryKey, saved] as const
  const save = useWrite(
    () => {
      const file = new File([writeCues(edits.cues)], `${language}.vtt`, { type: 'text/vtt' })
      return videos.setCaptions({ ...path, file, ...(label.trim() && { label: label.trim() }) }, at)
    },
    {
      done: t`Captions saved`,
      answers,
      changes,
      onDone: (saved) => {
        edits.markSaved()
        onSaved(saved)
      },
    },
  )
  const remove = useWrite(() => videos.removeCaptions(path, at), {
    done: t`Captions removed`,
    answers,
    changes,
    onDone: onRemoved,
  })
  return { save, remove }
}
