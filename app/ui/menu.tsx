import { Menu as ArkMenu } from '@ark-ui/react/menu'
import { Portal } from '@ark-ui/react/portal'
import type { ReactElement, ReactNode } from 'react'
import { classNames, type RenderElement, renderAs } from './element'
import type { IconName } from './icon'
import { Icon } from './icon'
import styles from './menu.module.css'

export interface MenuProps {
  /** The trigger button. */
  trigger: ReactElement
  /** The corner of the trigger it is aligned to. */
  align?: 'start' | 'end' | undefined
  /** MenuItem, MenuHeading and MenuSeparator. */
  children: ReactNode
}

/** A dropdown menu of actions or links. */
export function Menu({ trigger, align = 'end', children }: MenuProps) {
  return (
    <ArkMenu.Root positioning={{ placement: `bottom-${align}`, gutter: 6 }} lazyMount unmountOnExit>
      <ArkMenu.Trigger asChild>{trigger}</ArkMenu.Trigger>
      <Portal>
        <ArkMenu.Positioner>
          <ArkMenu.Content className={styles.content}>{children}</ArkMenu.Content>
        </ArkMenu.Positioner>
      </Portal>
    </ArkMenu.Root>
  )
}

export interface MenuItemProps {
  /** Unique in the menu. */
  value: string
  icon?: IconName | undefined
  onSelect?: (() => void) | undefined
  /** Renders a link: `<Link to="/mypages" />`. */
  render?: RenderElement | undefined
  /** The current choice, such as a language or a theme. */
  checked?: boolean | undefined
  danger?: boolean | undefined
  disabled?: boolean | undefined
  /** BCP 47, where the item is not in the page's language. */
  lang?: string | undefined
  children: ReactNode
}

export function MenuItem(props: MenuItemProps) {
  const { value, icon, onSelect, render, checked, danger, disabled, lang, children } = props
  const content = (
    <>
      {icon && <Icon name={icon} size="m" />}
      <span className={styles.label}>{children}</span>
      {checked && <Icon name="check" size="s" className={styles.check} />}
    </>
  )
  const className = classNames(styles.item, danger && styles.danger)
  return (
    <ArkMenu.Item
      value={value}
      disabled={disabled}
      onSelect={onSelect}
      lang={lang}
      aria-current={checked || undefined}
      className={className}
      asChild={Boolean(render)}
    >
      {render ? renderAs(render, {}, content) : content}
    </ArkMenu.Item>
  )
}
