import { Popover as ArkPopover } from '@ark-ui/react/popover'
import { Portal } from '@ark-ui/react/portal'
import type { ReactElement, ReactNode } from 'react'
import styles from './popover.module.css'

export interface PopoverProps {
  trigger: ReactElement
  title: ReactNode
  align?: 'start' | 'end' | undefined
  children: ReactNode
}

/** A small panel at a button: refund terms, sharing, details. */
export function Popover({ trigger, title, align = 'start', children }: PopoverProps) {
  return (
    <ArkPopover.Root positioning={{ placement: `bottom-${align}`, gutter: 8 }} lazyMount unmountOnExit>
      <ArkPopover.Trigger asChild>{trigger}</ArkPopover.Trigger>
      <Portal>
        <ArkPopover.Positioner>
          <ArkPopover.Content className={styles.content}>
            <ArkPopover.Title className={styles.title}>{title}</ArkPopover.Title>
            {children}
          </ArkPopover.Content>
        </ArkPopover.Positioner>
      </Portal>
    </ArkPopover.Root>
  )
}
