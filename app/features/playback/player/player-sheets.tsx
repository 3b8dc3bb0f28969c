import { RadioGroup } from '@ark-ui/react/radio-group'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { directionOf } from '#contract/direction.ts'
import { Button, IconButton } from '~/ui/button'
import captionStyleStyles from './caption-style.module.css'
import { CaptionLine } from './captions'
import styles from './player-sheet.module.css'
import {
  type CaptionStyle,
  captionColours,
  captionGrounds,
  captionPlaces,
  captionSizes,
  plainCaptions,
} from './preferences'
import shortcutHelpStyles from './shortcut-help.module.css'
import { shortcutList } from './shortcuts'

interface PlayerSheetProps {
  title: string
  onClose: () => void
  children: ReactNode
}

/** A panel over the picture. Playback continues; Escape closes it. */
function PlayerSheet({ title, onClose, children }: PlayerSheetProps) {
  const { t, i18n } = useLingui()
  const heading = useId()
  const sheet = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const before = document.activeElement
    sheet.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <div
      ref={sheet}
      className={styles.sheet}
      role="dialog"
      aria-labelledby={heading}
      tabIndex={-1}
      dir={directionOf(i18n.locale)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
    >
      <div className={styles.head}>
        <h2 id={heading}>{title}</h2>
        <IconButton icon="close" label={t`Close`} onClick={onClose} />
      </div>
      {children}
    </div>
  )
}

/** The list of keyboard shortcuts. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui()
  return (
    <PlayerSheet title={t`Keyboard shortcuts`} onClose={onClose}>
      <dl className={shortcutHelpStyles.list}>
        {shortcutList.map(({ keys, label }) => (
          <div key={keys.join()} className={shortcutHelpStyles.row}>
            <dt className={shortcutHelpStyles.keys} dir="ltr">
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{i18n._(label)}</dd>
          </div>
        ))}
      </dl>
    </PlayerSheet>
  )
}

interface Props {
  look: CaptionStyle
  onChange: (change: Partial<CaptionStyle>) => void
  onClose: () => void
}

/** The caption style with a preview. Saved on this device for all videos. */
export function CaptionStyleSheet({ look, onChange, onClose }: Props) {
  const { t } = useLingui()
  const sizes = { small: t`Small`, normal: t`Normal`, large: t`Large`, largest: t`Extra large` }
  const colours = { white: t`White`, yellow: t`Yellow`, green: t`Green`, cyan: t`Cyan` }
  const grounds = { box: t`See-through`, dark: t`Black`, shadow: t`Shadow`, none: t`None` }
  const places = { bottom: t`Bottom`, top: t`Top` }
  return (
    <PlayerSheet title={t`Caption style`} onClose={onClose}>
      <div className={captionStyleStyles.sample}>
        <CaptionLine look={look}>{t`This is a preview of your captions.`}</CaptionLine>
      </div>
      <div className={captionStyleStyles.choices}>
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
      className={captionStyleStyles.choice}
      value={value}
      onValueChange={(change) => {
        const chosen = values.find((option) => option === change.value)
        if (chosen) onChoose(chosen)
      }}
    >
      <RadioGroup.Label className={captionStyleStyles.label}>{label}</RadioGroup.Label>
      <div className={captionStyleStyles.values}>
        {values.map((option) => (
          <RadioGroup.Item key={option} value={option} className={captionStyleStyles.value}>
            <RadioGroup.ItemText>{names[option]}</RadioGroup.ItemText>
            <RadioGroup.ItemHiddenInput />
          </RadioGroup.Item>
        ))}
      </div>
    </RadioGroup.Root>
  )
}
