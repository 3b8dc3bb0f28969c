import { Menu } from '@ark-ui/react/menu'
import { useLingui } from '@lingui/react/macro'
import { Icon } from '~/ui/icon'
import type { IconName } from '~/ui/icon-shapes'
import { ControlButton } from './control-button'
import styles from './player-menu.module.css'

interface Choice {
  value: string
  label: string
  /** BCP 47, where the label is in a language of its own. */
  lang?: string | undefined
  /** A quiet word beside it: when a chapter begins. */
  note?: string | undefined
}

export interface ChoiceGroup {
  label: string
  value: string
  choices: readonly Choice[]
  onChoose: (value: string) => void
  /** Leads on from the group, below its choices. */
  more?: { label: string; onChoose: () => void }
}

interface Props {
  icon: IconName
  label: string
  /** Stands beside the icon. */
  text?: string | undefined
  textLang?: string | undefined
  placement?: 'top-start' | 'top-end'
  groups: readonly ChoiceGroup[]
  /** Marks the button: what it chooses is on. */
  active?: boolean
  onOpenChange: (open: boolean) => void
}

/** A menu of single choices in the player's bar; several groups stand side by side. It lives inside the player, so that full screen shows it. */
export function PlayerMenu({
  icon,
  label,
  text,
  textLang,
  placement = 'top-end',
  groups,
  active,
  onOpenChange,
}: Props) {
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
      <Menu.Positioner className={styles.positioner}>
        <Menu.Content className={styles.content} dir={i18n.locale === 'ar' ? 'rtl' : 'ltr'}>
          {groups.map((group) => (
            <div key={group.label} className={styles.group}>
              <Menu.RadioItemGroup value={group.value} onValueChange={({ value }) => group.onChoose(value)}>
                <Menu.ItemGroupLabel className={styles.label}>{group.label}</Menu.ItemGroupLabel>
                {group.choices.map((choice) => (
                  <Menu.RadioItem key={choice.value} value={choice.value} className={styles.item}>
                    <Menu.ItemIndicator className={styles.indicator}>
                      <Icon name="check" size="s" />
                    </Menu.ItemIndicator>
                    <Menu.ItemText className={styles.text} lang={choice.lang || undefined}>
                      {choice.label}
                      {choice.note && <span className={styles.note}>{choice.note}</span>}
                    </Menu.ItemText>
                  </Menu.RadioItem>
                ))}
              </Menu.RadioItemGroup>
              {group.more && (
                <Menu.Item value={group.more.label} className={styles.more} closeOnSelect>
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
