import { Slider } from '@ark-ui/react/slider'
import { useLingui } from '@lingui/react/macro'
import { ControlButton } from './control-button'
import styles from './volume-control.module.css'

interface Props {
  volume: number
  muted: boolean
  onVolume: (volume: number) => void
  onMute: () => void
}

/** The speaker, and beside it how loud: shown when the pointer or the focus is there. */
export function VolumeControl({ volume, muted, onVolume, onMute }: Props) {
  const { t } = useLingui()
  const heard = muted ? 0 : volume
  return (
    <div className={styles.volume} data-silent={heard === 0 || undefined}>
      <ControlButton
        icon={heard === 0 ? 'muted' : 'volume'}
        label={heard === 0 ? t`Unmute` : t`Mute`}
        keys="M"
        onClick={onMute}
      />
      <Slider.Root
        className={styles.slider}
        dir="ltr"
        min={0}
        max={1}
        step={0.05}
        value={[heard]}
        aria-label={[t`Volume`]}
        getAriaValueText={({ value }) => `${Math.round(value * 100)}%`}
        onValueChange={({ value }) => value[0] !== undefined && onVolume(value[0])}
      >
        <Slider.Control className={styles.control}>
          <Slider.Track className={styles.track}>
            <Slider.Range className={styles.range} />
          </Slider.Track>
          <Slider.Thumb index={0} className={styles.thumb}>
            <Slider.HiddenInput />
          </Slider.Thumb>
        </Slider.Control>
      </Slider.Root>
    </div>
  )
}
