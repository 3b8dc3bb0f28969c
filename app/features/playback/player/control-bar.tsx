import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatDuration } from '#contract/dates.ts'
import { langOf } from '~/platform/i18n/locales'
import styles from './control-bar.module.css'
import { type ChoiceGroup, PlayerMenu, VolumeControl } from './controls'
import { automaticLevel } from './engine'
import { ControlButton } from './player-chips'
import { speeds } from './preferences'
import { Scrubber } from './scrubber'
import { skipSeconds } from './shortcuts'
import { chapterAt, useMediaTime } from './use-media'
import type { PlayerControls } from './use-player'

/**
 * The menu of captions, with the link to their style, and of audio tracks where there are several.
 */
function useCaptionGroups(player: PlayerControls): ChoiceGroup[] {
  const { t } = useLingui()
  const { stream, captions, chooseCaptions, sounds, playingSound, chooseSound, setSheet } = player
  const groups: ChoiceGroup[] = []
  if (stream && stream.captions.length > 0) {
    groups.push({
      label: t`Captions`,
      value: captions ?? 'off',
      choices: [
        { value: 'off', label: t`Off` },
        ...stream.captions.map(({ language, label }) => ({ value: language, label, lang: language })),
      ],
      onChoose: (value) => chooseCaptions(value === 'off' ? null : value),
      more: { label: t`Caption style`, onChoose: () => setSheet('caption style') },
    })
  }
  if (sounds.length > 1) {
    groups.push({
      label: t`Audio`,
      value: String(playingSound),
      choices: sounds.map(({ index, label, language }) => ({ value: String(index), label, lang: language })),
      onChoose: (value) => chooseSound(Number(value)),
    })
  }
  return groups
}

function useChapterGroup({ stream, seek }: PlayerControls, seconds: number): ChoiceGroup | undefined {
  const { t } = useLingui()
  if (!stream || stream.chapters.length < 2) return undefined
  return {
    label: t`Chapters`,
    value: String(chapterAt(stream.chapters, seconds)?.startSeconds ?? ''),
    choices: stream.chapters.map((chapter) => ({
      value: String(chapter.startSeconds),
      label: chapter.title,
      lang: langOf(chapter, 'title'),
      note: formatDuration(chapter.startSeconds),
    })),
    onChoose: (value) => seek(Number(value)),
  }
}

/** The menu of quality, where there is a choice, and speed. */
function useSettingGroups(player: PlayerControls): ChoiceGroup[] {
  const { t } = useLingui()
  const { levels, playingLevel, chosenLevel, chooseQuality, media, setSpeed } = player
  const playing = levels.find(({ index }) => index === playingLevel)?.height
  const speed: ChoiceGroup = {
    label: t`Speed`,
    value: String(media.speed),
    choices: speeds.map((value) => ({ value: String(value), label: value === 1 ? t`Normal` : `${value}×` })),
    onChoose: (value) => {
      const chosen = speeds.find((speed) => String(speed) === value)
      if (chosen) setSpeed(chosen)
    },
  }
  if (levels.length < 2) return [speed]
  const automatic = playing && chosenLevel === automaticLevel ? t`Auto (${playing}p)` : t`Auto`
  const quality: ChoiceGroup = {
    label: t`Quality`,
    value: String(chosenLevel),
    choices: [
      { value: String(automaticLevel), label: automatic },
      ...levels.map(({ index, height }) => ({ value: String(index), label: `${height}p` })),
    ],
    onChoose: (value) => chooseQuality(Number(value)),
  }
  return [quality, speed]
}

interface Props {
  player: PlayerControls
  durationSeconds: number
  onMenu: (open: boolean) => void
}

/**
 * The timeline and the buttons below it, left to right in every language. On narrow screens the
 * time is above the timeline, and volume is left to the device's keys.
 */
export function ControlBar({ player, durationSeconds, onMenu }: Props) {
  const { t } = useLingui()
  const { video, media, stream, fullScreen, remote } = player
  const time = useMediaTime(video, durationSeconds)
  // The bar is rendered in the browser only, once something plays.
  const [hasPictureInPicture] = useState(() => !import.meta.env.SSR && document.pictureInPictureEnabled === true)
  const captionGroups = useCaptionGroups(player)
  const [firstCaptionGroup] = captionGroups
  const chapterGroup = useChapterGroup(player, time.seconds)
  const settings = useSettingGroups(player)
  const chapters = stream?.chapters ?? []
  const running = chapterAt(chapters, time.seconds)
  const skip = (seconds: number) => player.perform({ do: 'seek by', seconds })

  return (
    <div className={styles.bar} dir="ltr">
      <Scrubber time={time} chapters={chapters} storyboardUrl={stream?.storyboardUrl ?? null} onSeek={player.seek} />
      <div className={styles.row} data-controls>
        <ControlButton
          icon={media.ended ? 'retry' : media.paused ? 'play' : 'pause'}
          label={media.ended ? t`Watch again` : media.paused ? t`Play` : t`Pause`}
          keys="K"
          onClick={player.toggle}
        />
        <ControlButton icon="back-10" label={t`Back 10 seconds`} keys="J" onClick={() => skip(-skipSeconds)} />
        <ControlButton icon="forward-10" label={t`Forward 10 seconds`} keys="L" onClick={() => skip(skipSeconds)} />
        <VolumeControl
          volume={media.volume}
          muted={media.muted}
          onVolume={player.setVolume}
          onMute={player.toggleMute}
        />
        <span className={styles.time}>
          {formatDuration(time.seconds)} <span className={styles.length}>/ {formatDuration(time.duration)}</span>
        </span>
        <span className={styles.middle}>
          {chapterGroup && (
            <PlayerMenu
              icon="list"
              label={t`Chapters`}
              text={running?.title}
              textLang={running && langOf(running, 'title')}
              placement="top-start"
              groups={[chapterGroup]}
              onOpenChange={onMenu}
            />
          )}
        </span>
        {firstCaptionGroup && (
          <PlayerMenu
            icon="captions"
            label={captionGroups.length > 1 ? t`Audio and captions` : firstCaptionGroup.label}
            groups={captionGroups}
            active={player.captions !== null}
            onOpenChange={onMenu}
          />
        )}
        <PlayerMenu icon="settings" label={t`Quality and speed`} groups={settings} onOpenChange={onMenu} />
        {/* A limited stream needs the member's session, which a remote device lacks. */}
        {remote.available && !stream?.countsAsPlay && (
          <ControlButton
            icon="cast"
            label={t`Play on another device`}
            aria-pressed={remote.connected}
            onClick={remote.choose}
          />
        )}
        {hasPictureInPicture && !stream?.watermark && (
          <span className={styles.roomy}>
            <ControlButton
              icon="pip"
              label={t`Picture-in-picture`}
              aria-pressed={media.pictureInPicture}
              onClick={player.togglePictureInPicture}
            />
          </span>
        )}
        <ControlButton
          icon={fullScreen.active ? 'exit-fullscreen' : 'fullscreen'}
          label={fullScreen.active ? t`Exit full screen` : t`Full screen`}
          keys="F"
          onClick={fullScreen.toggle}
        />
      </div>
    </div>
  )
}
