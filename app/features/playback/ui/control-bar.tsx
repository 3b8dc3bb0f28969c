import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { formatDuration } from '~/platform/format/dates'
import { automaticLevel } from '../engine'
import { speeds } from '../preferences'
import styles from './control-bar.module.css'
import { ControlButton } from './control-button'
import { type ChoiceGroup, PlayerMenu } from './player-menu'
import { Scrubber } from './scrubber'
import { useMediaTime } from './use-media'
import type { PlayerControls } from './use-player'
import { VolumeControl } from './volume-control'

interface Props {
  player: PlayerControls
  durationSeconds: number
  onMenu: (open: boolean) => void
}

/** The line of time and the buttons below it. Time runs left to right in every language. */
export function ControlBar({ player, durationSeconds, onMenu }: Props) {
  const { t } = useLingui()
  const { video, media, stream, fullScreen } = player
  const time = useMediaTime(video, durationSeconds)
  const hasPictureInPicture = usePictureInPictureSupport()
  const captionGroup = useCaptionGroup(player)
  const settings = useSettings(player)

  return (
    <div className={styles.bar} dir="ltr">
      <Scrubber time={time} chapters={stream?.chapters ?? []} onSeek={player.seek} />
      <div className={styles.row}>
        <ControlButton
          icon={media.ended ? 'retry' : media.paused ? 'play' : 'pause'}
          label={media.ended ? t`Watch again` : media.paused ? t`Play` : t`Pause`}
          keys="K"
          onClick={player.toggle}
        />
        <VolumeControl
          volume={media.volume}
          muted={media.muted}
          onVolume={player.setVolume}
          onMute={player.toggleMute}
        />
        <span className={styles.time}>
          {formatDuration(time.seconds)} <span className={styles.length}>/ {formatDuration(time.duration)}</span>
        </span>
        <span className={styles.spacer} />
        {captionGroup && (
          <PlayerMenu
            icon="captions"
            label={t`Captions`}
            groups={[captionGroup]}
            active={player.captions !== null}
            onOpenChange={onMenu}
          />
        )}
        <PlayerMenu icon="settings" label={t`Quality and speed`} groups={settings} onOpenChange={onMenu} />
        {hasPictureInPicture && (
          <span className={styles.roomy}>
            <ControlButton
              icon="pip"
              label={t`Picture in picture`}
              aria-pressed={media.pictureInPicture}
              onClick={player.togglePictureInPicture}
            />
          </span>
        )}
        <ControlButton
          icon={fullScreen.active ? 'exit-fullscreen' : 'fullscreen'}
          label={fullScreen.active ? t`Leave full screen` : t`Full screen`}
          keys="F"
          onClick={fullScreen.toggle}
        />
      </div>
    </div>
  )
}

function useCaptionGroup({ stream, captions, chooseCaptions }: PlayerControls): ChoiceGroup | undefined {
  const { t } = useLingui()
  if (!stream || stream.captions.length === 0) return undefined
  return {
    label: t`Captions`,
    value: captions ?? 'off',
    choices: [
      { value: 'off', label: t`Off` },
      ...stream.captions.map(({ language, label }) => ({ value: language, label })),
    ],
    onChoose: (value) => chooseCaptions(value === 'off' ? null : value),
  }
}

function useSettings({
  levels,
  playingLevel,
  chosenLevel,
  chooseLevel,
  media,
  setSpeed,
}: PlayerControls): ChoiceGroup[] {
  const { t } = useLingui()
  const playing = levels.find(({ index }) => index === playingLevel)?.height
  const speed: ChoiceGroup = {
    label: t`Speed`,
    value: String(media.speed),
    choices: speeds.map((value) => ({ value: String(value), label: value === 1 ? t`Normal` : `${value}×` })),
    onChoose: (value) => {
      const chosen = speeds.find((one) => String(one) === value)
      if (chosen) setSpeed(chosen)
    },
  }
  if (levels.length < 2) return [speed]
  const automatic = playing && chosenLevel === automaticLevel ? t`Automatic (${playing}p)` : t`Automatic`
  const quality: ChoiceGroup = {
    label: t`Quality`,
    value: String(chosenLevel),
    choices: [
      { value: String(automaticLevel), label: automatic },
      ...levels.map(({ index, height }) => ({ value: String(index), label: `${height}p` })),
    ],
    onChoose: (value) => chooseLevel(Number(value)),
  }
  return [quality, speed]
}

/** Known only in the browser: the server draws no button that might not work. */
function usePictureInPictureSupport(): boolean {
  const [supported, setSupported] = useState(false)
  useEffect(() => setSupported(document.pictureInPictureEnabled === true), [])
  return supported
}
