import { Menu } from '@ark-ui/react/menu'
import { Slider } from '@ark-ui/react/slider'
import { useLingui } from '@lingui/react/macro'
import type { ComponentPropsWithRef } from 'react'
import { directionOf } from '#contract/direction.ts'
import { classNames } from '~/ui/element'
import type { IconName } from '~/ui/icon'
import { Icon } from '~/ui/icon'
import styles from './control-button.module.css'
import playerMenuStyles from './player-menu.module.css'
import volumeControlStyles from './volume-control.module.css'

interface Props extends Omit<ComponentPropsWithRef<'button'>, 'children'> {
  icon: IconName
  label: string
  /** The keyboard shortcut, for the tooltip and assistive technology. */
  keys?: string
  /** Text beside the icon. */
  text?: string | undefined
  /** The text's language, where it is not the page's. */
  textLang?: string | undefined
}

/** A button of the control bar. Its tooltip shows name and shortcut. */
export function ControlButton({ icon, label, keys, text, textLang, ...rest }: Props) {
  return (
    <button
      type="button"
      className={classNames(styles.button, text && styles.wide)}
      aria-label={text ? `${label}: ${text}` : label}
      aria-keyshortcuts={keys}
      {...rest}
    >
      <Icon name={icon} size="l" />
      {text && (
        <span className={styles.text} dir="auto" lang={textLang}>
          {text}
        </span>
      )}
      <span className={styles.tooltip} aria-hidden>
        {label}
        {keys && <kbd className={styles.key}>{keys}</kbd>}
      </span>
    </button>
  )
}

interface VolumeControlProps {
  volume: number
  muted: boolean
  onVolume: (volume: number) => void
  onMute: () => void
}

/** The mute button, with the volume slider on hover or focus. */
export function VolumeControl({ volume, muted, onVolume, onMute }: VolumeControlProps) {
  const { t } = useLingui()
  const effectiveVolume = muted ? 0 : volume
  return (
    <div className={volumeControlStyles.volume} data-silent={effectiveVolume === 0 || undefined}>
      <ControlButton
        icon={effectiveVolume === 0 ? 'muted' : 'volume'}
        label={effectiveVolume === 0 ? t`Unmute` : t`Mute`}
        keys="M"
        onClick={onMute}
      />
      <Slider.Root
        className={volumeControlStyles.slider}
        dir="ltr"
        min={0}
        max={1}
        step={0.05}
        value={[effectiveVolume]}
        aria-label={[t`Volume`]}
        getAriaValueText={({ value }) => `${Math.round(value * 100)}%`}
        onValueChange={({ value }) => value[0] !== undefined && onVolume(value[0])}
      >
        <Slider.Control className={volumeControlStyles.control}>
          <Slider.Track className={volumeControlStyles.track}>
            <Slider.Range className={volumeControlStyles.range} />
          </Slider.Track>
          <Slider.Thumb index={0} className={volumeControlStyles.thumb}>
            <Slider.HiddenInput />
          </Slider.Thumb>
        </Slider.Control>
      </Slider.Root>
    </div>
  )
}

interface Choice {
  value: string
  label: string
  /** BCP 47, where the label is not in the page's language. */
  lang?: string | undefined
  /** Secondary text, such as the start of a chapter. */
  note?: string | undefined
}

export interface ChoiceGroup {
  label: string
  value: string
  choices: readonly Choice[]
  onChoose: (value: string) => void
  /** An action below the group's choices. */
  more?: { label: string; onChoose: () => void }
}

interface PlayerMenuProps {
  icon: IconName
  label: string
  /** Text beside the icon. */
  text?: string | undefined
  textLang?: string | undefined
  placement?: 'top-start' | 'top-end'
  groups: readonly ChoiceGroup[]
  /** Marks the button as on. */
  active?: boolean
  onOpenChange: (open: boolean) => void
}

/**
 * A menu of single-choice groups in the control bar. It is inside the player, so that full screen
 * shows it.
 */
export function PlayerMenu({
  icon,
  label,
  text,
  textLang,
  placement = 'top-end',
  groups,
  active,
  onOpenChange,
}: PlayerMenuProps) {
  const { i18n } = useLingui()
  return (
    <Menu.Root
      positioning={{ placement, gutter: 12, strategy: 'absolute' }}
      lazyMount
      unmountOnExit
      onOpenChange={({ open }) => onOpenChange(open)}
      onSelect={({ value }) => groups.find(({ more }) => more?.label === value)?.more?.onChoose()}
    >
      <Menu.Trigger asChild>
        <ControlButton icon={icon} label={label} text={text} textLang={textLang} data-active={active || undefined} />
      </Menu.Trigger>
      <Menu.Positioner className={playerMenuStyles.positioner}>
        <Menu.Content className={playerMenuStyles.content} dir={directionOf(i18n.locale)}>
          {groups.map((group) => (
            <div key={group.label} className={playerMenuStyles.group}>
              <Menu.RadioItemGroup value={group.value} onValueChange={({ value }) => group.onChoose(value)}>
                <Menu.ItemGroupLabel className={playerMenuStyles.label}>{group.label}</Menu.ItemGroupLabel>
                {group.choices.map((choice) => (
                  <Menu.RadioItem key={choice.value} value={choice.value} className={playerMenuStyles.item}>
                    <Menu.ItemIndicator className={playerMenuStyles.indicator}>
                      <Icon name="check" size="s" />
                    </Menu.ItemIndicator>
                    <Menu.ItemText className={playerMenuStyles.text} lang={choice.lang || undefined}>
                      {choice.label}
                      {choice.note && <span className={playerMenuStyles.note}>{choice.note}</span>}
                    </Menu.ItemText>
                  </Menu.RadioItem>
                ))}
              </Menu.RadioItemGroup>
              {group.more && (
                <Menu.Item value={group.more.label} className={playerMenuStyles.more} closeOnSelect>
                  {group.more.label}
                </Menu.Item>
              )}
            </div>
          ))}
        </Menu.Content>
      </Menu.Positioner>
    </Menu.Root>
  )
}
