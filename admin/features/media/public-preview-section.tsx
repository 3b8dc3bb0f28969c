import { Trans, useLingui } from '@lingui/react/macro'
import { type RefObject, useState } from 'react'
import { type StoreVideo, storeVideo } from '#contract/admin/videos.ts'
import { maxPreviewSeconds } from '#contract/media.ts'
import { Button } from '~/ui/button'
import { Checkbox } from '~/ui/choice'
import { Notice } from '~/ui/notice'
import { TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { LoadLatest, WriteRefusal } from '../../ui/conflict'
import { onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDraft, heldState } from '../../ui/form-draft'
import { Section } from '../../ui/page'
import { UnsavedChanges } from '../../ui/unsaved-changes'
import { TimeField } from './cue-form'
import { timeText } from './cues'
import styles from './media.module.css'
import { videoQuery } from './videos.queries'

interface PublicPreviewProps {
  video: StoreVideo
  place: RefObject<HTMLVideoElement | null>
  onReload: () => void
}

/** The length of a preview that is new. */
const usualSeconds = 30

/** Milliseconds until a cut is given up: longer than the API tries. */
const cutTimeout = 11 * 60_000

/** Which part of the video anyone can watch. It is cut from the video without encoding it again. */
export function PublicPreviewSection({ video, place, onReload }: PublicPreviewProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const isAllowed = useMay()('videos:write')
  const { id, preview: present, durationSeconds, isEncrypted, version } = video
  const [part, setPart] = useState(present)
  const isDirty = part?.startSeconds !== present?.startSeconds || part?.seconds !== present?.seconds
  const save = useWrite(
    (chosen: StoreVideo['preview']) => {
      const input = { id, startSeconds: chosen?.startSeconds ?? 0, seconds: chosen?.seconds ?? 0 }
      return api.admin.videos.setPreview(input, { context: { ifMatch: version, timeout: cutTimeout } })
    },
    {
      done: t`Preview saved`,
      changes: [['product']],
      answers: (saved) => [videoQuery(api, id).queryKey, saved],
    },
  )
  const errors = save.failure?.fields ?? {}
  /** The connection ended before the answer: the API may have gone on. */
  const hasNoAnswer = save.failure?.message === '' && save.failure.status !== 500
  const first = { startSeconds: 0, seconds: Math.max(1, Math.min(usualSeconds, Math.floor(durationSeconds / 3))) }
  const now = () => Math.round(place.current?.currentTime ?? 0)
  const [from, to] = present
    ? [timeText(present.startSeconds), timeText(present.startSeconds + present.seconds)]
    : ['', '']
  return (
    <Section title={<Trans>Preview</Trans>}>
      <p>
        {present
          ? t`Anyone can watch ${from} to ${to} of the video as a preview.`
          : t`This video has no preview. A preview is a part of the video that anyone can watch.`}
      </p>
      {isEncrypted && (
        <p>
          <Trans>No other preview can be cut from an encrypted video.</Trans>
        </p>
      )}
      {isAllowed && (present || !isEncrypted) && (
        <form
          className={form.fields}
          onSubmit={onSubmit(() =>
            // What is typed while it is cut stays.
            save.send(part, { onSuccess: ({ preview }) => setPart((latest) => (latest === part ? preview : latest)) }),
          )}
        >
          <FormDraft
            queryKey={['video', id]}
            part="preview"
            isDirty={isDirty}
            held={heldState(part, storeVideo.shape.preview, setPart)}
          />
          <Checkbox
            label={t`Show a preview`}
            checked={part !== null}
            onChange={({ target }) => setPart(target.checked ? (present ?? first) : null)}
          />
          {part && !isEncrypted && (
            <div className={styles.times}>
              <TimeField
                label={t`Starts at`}
                hint={t`It starts up to two seconds earlier, where the video can be cut.`}
                seconds={part.startSeconds}
                error={errors.startSeconds}
                onChange={(startSeconds) => setPart({ ...part, startSeconds })}
                now={
                  video.stream && {
                    label: t`Start where the video is`,
                    onClick: () => setPart({ ...part, startSeconds: now() }),
                  }
                }
              />
              <TextField
                label={t`Length in seconds`}
                hint={t`At most ${maxPreviewSeconds}. It ends where the video can be cut, up to a second earlier or later.`}
                type="number"
                inputMode="numeric"
                min={1}
                max={maxPreviewSeconds}
                step={1}
                required
                value={part.seconds === 0 ? '' : Math.round(part.seconds)}
                error={errors.seconds}
                onChange={({ target }) => setPart({ ...part, seconds: Number(target.value) })}
              />
            </div>
          )}
          {save.isPending && save.sent && (
            <Notice>
              <Trans>The preview is being cut. This can take a few minutes, and goes on if you leave this page.</Trans>
            </Notice>
          )}
          {hasNoAnswer && (
            <Notice tone="warning" urgent>
              <p>
                <Trans>The store did not answer, but may have cut the preview. Load the latest state to see.</Trans>
              </p>
              <LoadLatest queryKey={['video', id]} onLoaded={onReload} />
            </Notice>
          )}
          <WriteRefusal failure={hasNoAnswer ? undefined : save.failure} queryKey={['video', id]} onLoaded={onReload} />
          <div className={form.buttons}>
            <Button type="submit" variant="primary" loading={save.isPending} disabled={!isDirty}>
              <Trans>Save preview</Trans>
            </Button>
          </div>
        </form>
      )}
      <UnsavedChanges when={isDirty && !save.isPending} />
    </Section>
  )
}
