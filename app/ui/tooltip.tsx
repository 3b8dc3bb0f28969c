import { Portal } from '@ark-ui/react/portal'
import { Tooltip as ArkTooltip } from '@ark-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'
import styles from './tooltip.module.css'

export interface TooltipProps {
  text: ReactNode
  /** What it explains: something that takes the focus. */
  children: ReactElement
}

/** A few words on hover or focus. Never the only place for something one needs, and never one per row. */
export function Tooltip({ text, children }: TooltipProps) {
  return (
    <ArkTooltip.Root
      openDelay={400}
      closeDelay={80}
      positioning={{ placement: 'top', gutter: 6 }}
      lazyMount
      unmountOnExit
    >
      <ArkTooltip.Trigger asChild>{children}</ArkTooltip.Trigger>
      <Portal>
        <ArkTooltip.Positioner>
          <ArkTooltip.Content className={styles.content}>{text}</ArkTooltip.Content>
        </ArkTooltip.Positioner>
      </Portal>
    </ArkTooltip.Root>
  )
}
