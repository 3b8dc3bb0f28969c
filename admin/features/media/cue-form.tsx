import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { Button, IconButton } from '~/ui/button'
import { Badge } from '~/ui/chip'
import form from '../../ui/form.module.css'
import { TextArea, TextField } from '../../ui/text-field'
import type { CaptionEdits } from './caption-edits'
import { type EditedCue, readTime, timeText } from './cues'
import styles from './media.module.css'

interface TimeFieldProps {
  label: string
  seconds: number
  hint?: string
  error?: string | undefined
  onChange: (seconds: number) => void
  /** Takes the time at which the video is. */
  now: { label: string; onClick: () => void } | null
}

/** A time within a video, as people type it. A text that is no time is told and changes nothing. */
export function TimeField({ label, seconds, hint, error, onChange, now }: TimeFieldProps) {
  const { t } = useLingui()
  const [typed, setTyped] = useState<string | null>(null)
  const isInvalid = typed !== null && readTime(typed) === null
  const invalid = t`Type a time such as 1:02.5.`
  return (
    <TextField
      // Keeps the form from sending the last valid time.
      ref={(control) => control?.setCustomValidity(isInvalid ? invalid : '')}
      label={label}
      value={typed ?? timeText(seconds)}
      dir="ltr"
      inputMode="decimal"
      hint={hint}
      error={isInvalid ? invalid : error}
      onChange={({ target }) => {
        setTyped(target.value)
        const read = readTime(target.value)
        if (read !== null) onChange(read)
      }}
      onBlur={() => {
        if (!isInvalid) setTyped(null)
      }}
      end={
        now && (
          <IconButton
            icon="clock"
            label={now.label}
            size="s"
            onClick={() => {
              setTyped(null)
              now.onClick()
            }}
          />
        )
      }
    />
  )
}

interface CueFormProps {
  cue: EditedCue
  edits: CaptionEdits
  language: string
  /** What viewers would notice; empty for nothing. */
  warning: string
  /** Null where the video is not played here. */
  player: { now: () => number; play: (from: number) => void } | null
}

/** The fields of the caption that is open. */
export function CueForm({ cue, edits, language, warning, player }: CueFormProps) {
  const { t } = useLingui()
  const text = useRef<HTMLDivElement>(null)
  const { key, startSeconds, endSeconds } = cue
  // Focuses the words when another caption is opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caption's key decides.
  useEffect(() => text.current?.querySelector('textarea')?.focus(), [key])
  const change = (part: Partial<EditedCue>) => edits.type({ ...cue, ...part })
  const nowFor = (label: string, part: (seconds: number) => Partial<EditedCue>) =>
    player && { label, onClick: () => change(part(player.now())) }
  return (
    <form ref={edits.form} className={styles.cueForm} onSubmit={(event) => event.preventDefault()}>
      <div className={styles.times}>
        <TimeField
          label={t`Start`}
          seconds={startSeconds}
          onChange={(seconds) => change({ startSeconds: seconds })}
          now={nowFor(t`Start where the video is`, (seconds) => ({ startSeconds: seconds }))}
        />
        <TimeField
          label={t`End`}
          seconds={endSeconds}
          error={endSeconds <= startSeconds ? t`It must end after it starts.` : undefined}
          onChange={(seconds) => change({ endSeconds: seconds })}
          now={nowFor(t`End where the video is`, (seconds) => ({ endSeconds: seconds }))}
        />
      </div>
      <div ref={text}>
        <TextArea
          label={t`Text`}
          rows={2}
          value={cue.text}
          maxLength={4_000}
          lang={language}
          dir="auto"
          onChange={({ target }) => change({ text: target.value })}
          onKeyDown={(event) => {
            if (!event.altKey || !['ArrowDown', 'ArrowUp'].includes(event.key)) return
            event.preventDefault()
            if (event.key === 'ArrowDown') edits.openNext()
            else edits.openBefore()
          }}
        />
      </div>
      <p role="status">{warning && <Badge tone="warning">{warning}</Badge>}</p>
      <div className={form.buttons}>
        {player && (
          <Button size="s" icon="play" onClick={() => player.play(startSeconds)}>
            <Trans>Play from here</Trans>
          </Button>
        )}
        <Button size="s" onClick={edits.divide} disabled={cue.text.trim() === ''}>
          <Trans>Split</Trans>
        </Button>
        <Button size="s" onClick={edits.join} disabled={!edits.next}>
          <Trans>Merge with next</Trans>
        </Button>
        <Button size="s" variant="ghost" onClick={edits.remove}>
          <Trans>Remove</Trans>
        </Button>
      </div>
    </form>
  )
}
