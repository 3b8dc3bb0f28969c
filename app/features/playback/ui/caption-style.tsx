import { RadioGroup } from '@ark-ui/react/radio-group'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '~/ui/button'
import {
  type CaptionStyle,
  captionColours,
  captionGrounds,
  captionPlaces,
  captionSizes,
  plainCaptions,
} from '../preferences'
import styles from './caption-style.module.css'
import { CaptionLine } from './caption-text'
import { PlayerSheet } from './player-sheet'

interface Props {
  look: CaptionStyle
  onChange: (change: Partial<CaptionStyle>) => void
  onClose: () => void
}

/** How captions look, tried on a line of their own. Kept for every film on this device. */
export function CaptionStyleSheet({ look, onChange, onClose }: Props) {
  const { t } = useLingui()
  const sizes = { small: t`Small`, normal: t`Normal`, large: t`Large`, largest: t`Extra large` }
  const colours = { white: t`White`, yellow: t`Yellow`, green: t`Green`, cyan: t`Cyan` }
  const grounds = { box: t`See-through`, dark: t`Black`, shadow: t`Shadow`, none: t`None` }
  const places = { bottom: t`Bottom`, top: t`Top` }
  return (
    <PlayerSheet title={t`Caption style`} onClose={onClose}>
      <div className={styles.sample}>
        <CaptionLine look={look}>{t`This is a preview of your captions.`}</CaptionLine>
      </div>
      <div className={styles.choices}>
        <Choice
          label={t`Size`}
          value={look.size}
          values={captionSizes}
          names={sizes}
          onChoose={(size) => onChange({ size })}
        />
        <Choice
          label={t`Color`}
          value={look.colour}
          values={captionColours}
          names={colours}
          onChoose={(colour) => onChange({ colour })}
        />
        <Choice
          label={t`Background`}
          value={look.ground}
          values={captionGrounds}
          names={grounds}
          onChoose={(ground) => onChange({ ground })}
        />
        <Choice
          label={t`Position`}
          value={look.place}
          values={captionPlaces}
          names={places}
          onChoose={(place) => onChange({ place })}
        />
      </div>
      <Button variant="secondary" size="s" onClick={() => onChange(plainCaptions)}>
        <Trans>Reset to default</Trans>
      </Button>
    </PlayerSheet>
  )
}

interface ChoiceProps<Value extends string> {
  label: string
  value: Value
  values: readonly Value[]
  names: Record<Value, string>
  onChoose: (value: Value) => void
}

function Choice<Value extends string>({ label, value, values, names, onChoose }: ChoiceProps<Value>) {
  return (
    <RadioGroup.Root
      className={styles.choice}
      value={value}
      onValueChange={(change) => {
        const chosen = values.find((one) => one === change.value)
        if (chosen) onChoose(chosen)
      }}
    >
      <RadioGroup.Label className={styles.label}>{label}</RadioGroup.Label>
      <div className={styles.values}>
        {values.map((one) => (
          <RadioGroup.Item key={one} value={one} className={styles.value}>
            <RadioGroup.ItemText>{names[one]}</RadioGroup.ItemText>
            <RadioGroup.ItemHiddenInput />
          </RadioGroup.Item>
        ))}
      </div>
    </RadioGroup.Root>
  )
}
