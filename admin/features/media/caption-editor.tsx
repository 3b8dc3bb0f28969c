import { Trans, useLingui } from '@lingui/react/macro'
import { memo, type RefObject, useEffect, useState } from 'react'
import type { StoreVideo } from '#contract/admin/videos.ts'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { Notice } from '~/ui/notice'
import { saveFile } from '../../platform/save-file'
import { useMay } from '../../platform/session'
import { useConfirm } from '../../ui/confirm'
import { WriteRefusal } from '../../ui/conflict'
import { FileButton } from '../../ui/file-button'
import form from '../../ui/form.module.css'
import { TextField } from '../../ui/text-field'
import { UnsavedChanges } from '../../ui/unsaved-changes'
import type { CaptionEdits } from './caption-edits'
import { useReadCaptions } from './caption-faults'
import { CaptionVersions } from './caption-versions'
import { CueForm } from './cue-form'
import { type CueWarning, cueAt, type EditedCue, timeText, warningsOf, writeCues } from './cues'
import styles from './media.module.css'
import { ShiftDialog } from './shift-dialog'
import { useCaptionWrites } from './use-caption-writes'

const useWarningNames = (): Record<CueWarning, string> => {
  const { t } = useLingui()
  return {
    EMPTY: t`No text`,
    INVALID_TIMES: t`Ends before it starts`,
    AFTER_END: t`After the end of the video`,
    OVERLAP: t`Overlaps the next`,
    TOO_FAST: t`Too fast to read`,
  }
}

interface CueRowProps {
  cue: EditedCue
  language: string
  /** Empty without one. */
  warning: string
  isCurrent: boolean
  onOpen: (key: number) => void
}

/** A caption that is not open. There may be thousands. */
const CueRow = memo(function CueRow({ cue, language, warning, isCurrent, onOpen }: CueRowProps) {
  return (
    <button type="button" className={styles.cue} aria-current={isCurrent || undefined} onClick={() => onOpen(cue.key)}>
      <span className={styles.time} dir="ltr">
        {timeText(cue.startSeconds)}
      </span>
      <span className={styles.words} lang={language} dir="auto">
        {cue.text || '–'}
      </span>
      {warning && <Badge tone="soft">{warning}</Badge>}
    </button>
  )
})

/** The caption at which the video is. Follows it as it plays. */
const useCurrentKey = (place: RefObject<HTMLVideoElement | null>, cues: readonly EditedCue[]) => {
  const [current, setCurrent] = useState<number | null>(null)
  useEffect(() => {
    const video = place.current
    if (!video) return
    const onTime = () => setCurrent(cues[cueAt(cues, video.currentTime)]?.key ?? null)
    video.addEventListener('timeupdate', onTime)
    return () => video.removeEventListener('timeupdate', onTime)
  }, [place, cues])
  return current
}

interface CaptionEditorProps {
  video: StoreVideo
  language: string
  label: string
  isNew: boolean
  edits: CaptionEdits
  place: RefObject<HTMLVideoElement | null>
  /** Called with the latest state loaded: what was edited is given up. */
  onReload: () => void
  onSaved: (video: StoreVideo) => void
  onRemoved: () => void
}

/** The captions of one language beside the video: words, times, a file in their place. */
export function CaptionEditor(props: CaptionEditorProps) {
  const { video, language, isNew, edits, place, onReload } = props
  const { t } = useLingui()
  const isAllowed = useMay()('videos:write')
  const [label, setLabel] = useState(props.label)
  const [find, setFind] = useState('')
  const [isShifting, setShifting] = useState(false)
  const { save, remove } = useCaptionWrites({ ...props, label })
  const { read, refusal } = useReadCaptions(language)
  const isDirty = edits.isDirty || label !== props.label
  const invalid = edits.cues.find(({ startSeconds, endSeconds }) => endSeconds <= startSeconds)
  const sought = find.trim().toLocaleLowerCase()
  const shown = edits.cues.filter(
    ({ key, text }) => sought === '' || key === edits.cue?.key || text.toLocaleLowerCase().includes(sought),
  )
  const confirm = useConfirm({
    title: t`Remove the captions in ${props.label}?`,
    text: t`Viewers no longer see them, and the search no longer finds their words.`,
    action: t`Remove`,
    word: language,
    onConfirm: () => remove.sendAsync(undefined),
  })
  return (
    <div className={styles.editor}>
      {isAllowed && (
        <div className={form.buttons}>
          <FileButton
            accept=".srt,.vtt,text/vtt,application/x-subrip"
            onChoose={async (file) => {
              const cues = await read(file)
              if (cues) edits.replace(cues)
            }}
          >
            <Trans>Replace from a file</Trans>
          </FileButton>
          <Button onClick={() => setShifting(true)} disabled={edits.cues.length === 0}>
            <Trans>Shift all times</Trans>
          </Button>
          <Button onClick={edits.undo} disabled={!edits.canUndo}>
            <Trans>Undo</Trans>
          </Button>
          <Button
            icon="download"
            disabled={edits.cues.length === 0}
            onClick={() => {
              const name = `${video.shownBy[0]?.productCode ?? 'captions'}.${language}.vtt`
              if (edits.isReadable()) saveFile(new Blob([writeCues(edits.cues)]), name)
            }}
          >
            <Trans>Download</Trans>
          </Button>
        </div>
      )}
      {refusal && (
        <Notice tone="danger" urgent>
          {refusal}
        </Notice>
      )}
      <div className={styles.tools}>
        <TextField
          label={t`Name for viewers`}
          value={label}
          maxLength={60}
          readOnly={!isAllowed}
          onChange={({ target }) => setLabel(target.value)}
        />
        <TextField
          label={t`Search captions`}
          type="search"
          value={find}
          onChange={({ target }) => setFind(target.value)}
        />
      </div>
      {isAllowed && !isNew && (
        <CaptionVersions id={video.id} language={language} isDirty={edits.isDirty} onOpen={edits.replace} />
      )}
      <CueList {...props} shown={shown} />
      {isAllowed && (
        <>
          <div className={form.buttons}>
            <Button size="s" icon="plus" onClick={() => edits.add(place.current?.currentTime ?? lastEnd(edits.cues))}>
              {video.stream ? <Trans>Add a caption where the video is</Trans> : <Trans>Add a caption</Trans>}
            </Button>
          </div>
          {invalid && (
            <Notice tone="warning">
              <p>
                <Trans>A caption ends before it starts.</Trans>
              </p>
              <Button size="s" onClick={() => edits.open(invalid.key)}>
                <Trans>Open it</Trans>
              </Button>
            </Notice>
          )}
          <WriteRefusal failure={save.failure ?? remove.failure} queryKey={['video', video.id]} onLoaded={onReload} />
          <div className={form.buttons}>
            <Button
              variant="primary"
              loading={save.isPending}
              disabled={!isDirty || invalid !== undefined || edits.cues.every(({ text }) => text.trim() === '')}
              onClick={() => {
                if (edits.isReadable()) save.send(undefined)
              }}
            >
              <Trans>Save captions</Trans>
            </Button>
            {!isNew && (
              <Button variant="ghost" onClick={confirm.ask}>
                <Trans>Remove this language</Trans>
              </Button>
            )}
          </div>
        </>
      )}
      {isShifting && <ShiftDialog cues={edits.cues} onChange={edits.replace} onClose={() => setShifting(false)} />}
      {confirm.dialog}
      <UnsavedChanges when={isDirty && !save.isPending && !remove.isPending && !remove.isDone} />
    </div>
  )
}

const lastEnd = (cues: readonly EditedCue[]) => cues.at(-1)?.endSeconds ?? 0

/** All captions in order of time, each a button that opens its fields. */
function CueList({ shown, ...props }: CaptionEditorProps & { shown: readonly EditedCue[] }) {
  const { video, language, edits, place } = props
  const { t } = useLingui()
  const warningNames = useWarningNames()
  const isAllowed = useMay()('videos:write')
  const current = useCurrentKey(place, edits.cues)
  const seek = (seconds: number) => {
    if (place.current) place.current.currentTime = seconds
  }
  const player = video.stream
    ? {
        now: () => Math.round((place.current?.currentTime ?? 0) * 1000) / 1000,
        play: (from: number) => {
          seek(from)
          void place.current?.play()
        },
      }
    : null
  if (edits.cues.length === 0)
    return (
      <p>
        <Trans>There are no captions yet. Add them one by one, or choose a file.</Trans>
      </p>
    )
  // A search leaves out what follows in time.
  const nextOf = new Map(edits.cues.map(({ key }, at) => [key, edits.cues[at + 1]]))
  return (
    <ol className={styles.cues} aria-label={t`Captions`}>
      {shown.map((cue) => {
        const warnings = warningsOf(cue, nextOf.get(cue.key), video.durationSeconds)
        const text = (shownOf: readonly CueWarning[]) => shownOf.map((each) => warningNames[each]).join(' · ')
        return (
          <li key={cue.key} className={styles.cueItem}>
            {cue.key === edits.cue?.key && isAllowed ? (
              <CueForm
                cue={cue}
                edits={edits}
                language={language}
                player={player}
                // Its fields tell the others.
                warning={text(warnings.filter((each) => each !== 'INVALID_TIMES' && each !== 'EMPTY'))}
              />
            ) : (
              <CueRow
                cue={cue}
                language={language}
                warning={text(warnings)}
                isCurrent={cue.key === current}
                onOpen={(key) => {
                  seek(cue.startSeconds)
                  edits.open(key)
                }}
              />
            )}
          </li>
        )
      })}
    </ol>
  )
}
