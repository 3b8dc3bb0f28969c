import { Menu } from '@ark-ui/react/menu'
import { Slider } from '@ark-ui/react/slider'
import { useLingui } from '@lingui/react/macro'
import { directionOf } from '#contract/direction.ts'
import type { IconName } from '~/ui/icon'
import { addIcons, Icon } from '~/ui/icon'
import { ControlButton } from './player-chips'
import playerMenuStyles from './player-menu.module.css'
import volumeControlStyles from './volume-control.module.css'

addIcons({
  volume: 'M4 9.5v5h3.25L12 18.75V5.25L7.25 9.5ZM15.5 9.25a4 4 0 0 1 0 5.5M18 6.5a7.75 7.75 0 0 1 0 11',
  muted: 'M4 9.5v5h3.25L12 18.75V5.25L7.25 9.5ZM16 9.75l4.5 4.5M20.5 9.75 16 14.25',
  fullscreen:
    'M4 9V5.5C4 4.67 4.67 4 5.5 4H9M15 4h3.5c.83 0 1.5.67 1.5 1.5V9M20 15v3.5c0 .83-.67 1.5-1.5 1.5H15M9 20H5.5c-.83 0-1.5-.67-1.5-1.5V15',
  'exit-fullscreen':
    'M9 4v3.5C9 8.33 8.33 9 7.5 9H4M20 9h-3.5C15.67 9 15 8.33 15 7.5V4M15 20v-3.5c0-.83.67-1.5 1.5-1.5H20M4 15h3.5c.83 0 1.5.67 1.5 1.5V20',
  pip: 'M21 11V7a2 2 0 0 0-2-2H5a2 2 0 0 0-2 2v10c0 1.1.9 2 2 2h5M14.5 13.5h5c.83 0 1.5.67 1.5 1.5v3c0 .83-.67 1.5-1.5 1.5h-5c-.83 0-1.5-.67-1.5-1.5v-3c0-.83.67-1.5 1.5-1.5Z',
  cast: 'M3.5 8.5V7c0-1.1.9-2 2-2h13a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-4M3.5 12a7 7 0 0 1 7 7M3.5 15.5A3.5 3.5 0 0 1 7 19M3.5 19h.01',
  'back-10':
    'M9.5 2.5 6.4 5.15 9.5 7.8M6.4 5.15H12a7.65 7.65 0 1 1-7.65 7.65M9.1 10.9l1.5-1.05v5.3M14.3 9.85c1 0 1.55 1 1.55 2.65s-.55 2.65-1.55 2.65-1.55-1-1.55-2.65.55-2.65 1.55-2.65Z',
  'forward-10':
    'M14.5 2.5l3.1 2.65-3.1 2.65M17.6 5.15H12a7.65 7.65 0 1 0 7.65 7.65M9.1 10.9l1.5-1.05v5.3M14.3 9.85c1 0 1.55 1 1.55 2.65s-.55 2.65-1.55 2.65-1.55-1-1.55-2.65.55-2.65 1.55-2.65Z',
})

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
