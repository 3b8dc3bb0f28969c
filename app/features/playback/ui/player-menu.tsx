import { Menu } from '@ark-ui/react/menu'
import { useLingui } from '@lingui/react/macro'
import { Icon } from '~/ui/icon'
import type { IconName } from '~/ui/icon-shapes'
import { ControlButton } from './control-button'
import styles from './player-menu.module.css'

interface Choice {
  value: string
  label: string
}

export interface ChoiceGroup {
  label: string
  value: string
  choices: readonly Choice[]
  onChoose: (value: string) => void
}

interface Props {
  icon: IconName
  label: string
  groups: readonly ChoiceGroup[]
  /** Marks the button: what it chooses is on. */
  active?: boolean
  onOpenChange: (open: boolean) => void
}

/** A menu of single choices in the player's bar; several groups stand side by side. It lives inside the player, so that full screen shows it. */
export function PlayerMenu({ icon, label, groups, active, onOpenChange }: Props) {
  const { i18n } = useLingui()
  return (
    <Menu.Root
      positioning={{ placement: 'top-end', gutter: 12, strategy: 'absolute' }}
      closeOnSelect={false}
      lazyMount
      unmountOnExit
      onOpenChange={({ open }) => onOpenChange(open)}
    >
      <Menu.Trigger asChild>
        <ControlButton icon={icon} label={label} data-active={active || undefined} />
      </Menu.Trigger>
      <Menu.Positioner className={styles.positioner}>
        <Menu.Content className={styles.content} dir={i18n.locale === 'ar' ? 'rtl' : 'ltr'}>
          {groups.map((group) => (
            <Menu.RadioItemGroup
              key={group.label}
              className={styles.group}
              value={group.value}
              onValueChange={({ value }) => group.onChoose(value)}
            >
              <Menu.ItemGroupLabel className={styles.label}>{group.label}</Menu.ItemGroupLabel>
              {group.choices.map((choice) => (
                <Menu.RadioItem key={choice.value} value={choice.value} className={styles.item}>
                  <Menu.ItemIndicator className={styles.indicator}>
                    <Icon name="check" size="s" />
                  </Menu.ItemIndicator>
                  <Menu.ItemText>{choice.label}</Menu.ItemText>
                </Menu.RadioItem>
              ))}
            </Menu.RadioItemGroup>
          ))}
        </Menu.Content>
      </Menu.Positioner>
    </Menu.Root>
  )
}
