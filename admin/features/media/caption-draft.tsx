import * as z from 'zod/mini'
import type { StoreVideo } from '#contract/admin/videos.ts'
import { useMay } from '../../platform/session'
import { FormDraft, heldState } from '../../ui/form-draft'
import type { CaptionEdits } from './caption-edits'
import { newKey } from './cues'

const heldCues = z.array(
  z.object({ startSeconds: z.number(), endSeconds: z.number(), text: z.string(), settings: z.string() }),
)

interface CaptionDraftProps {
  video: StoreVideo
  language: string
  edits: CaptionEdits
}

/** Keeps captions that are not saved. */
export function CaptionDraft({ video, language, edits }: CaptionDraftProps) {
  const isAllowed = useMay()('videos:write')
  if (!isAllowed) return null
  return (
    <FormDraft
      queryKey={['video', video.id]}
      part={`captions ${language}`}
      // A new language begins with captions that nobody has changed.
      isDirty={edits.isDirty && edits.canUndo}
      held={heldState(
        edits.cues.map(({ key: _, ...cue }) => cue),
        heldCues,
        (held) => edits.replace(held.map((cue) => ({ ...cue, key: newKey() }))),
      )}
    />
  )
}
