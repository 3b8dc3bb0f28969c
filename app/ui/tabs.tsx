import { Tabs as ArkTabs } from '@ark-ui/react/tabs'
import type { ReactNode } from 'react'
import { classNames } from './class-names'
import { type RenderElement, renderAs } from './render-as'
import styles from './tabs.module.css'

export interface TabsProps {
  /** What the tabs are about, for screen readers. */
  label: string
  tabs: readonly { value: string; label: ReactNode; count?: ReactNode; content: ReactNode }[]
  defaultValue?: string | undefined
  value?: string | undefined
  onValueChange?: ((value: string) => void) | undefined
}

/** Views of one thing in one place, walked by arrow keys. Places with addresses of their own are TabLinks. */
export function Tabs({ label, tabs, defaultValue, value, onValueChange }: TabsProps) {
  const first = tabs[0]?.value
  return (
    <ArkTabs.Root
      {...(value === undefined ? { defaultValue: defaultValue ?? first ?? null } : { value })}
      onValueChange={(details) => onValueChange?.(details.value)}
    >
      <ArkTabs.List className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <ArkTabs.Trigger key={tab.value} value={tab.value} className={styles.tab}>
            {tab.label}
            <TabCount count={tab.count} />
          </ArkTabs.Trigger>
        ))}
      </ArkTabs.List>
      {tabs.map((tab) => (
        <ArkTabs.Content key={tab.value} value={tab.value} className={styles.panel}>
          {tab.content}
        </ArkTabs.Content>
      ))}
    </ArkTabs.Root>
  )
}

/** Links that look like tabs; the current one carries `aria-current`, as a router's link gives it. */
export function TabLinks({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={styles.list} aria-label={label}>
      {children}
    </nav>
  )
}

export interface TabLinkProps {
  render: RenderElement
  current?: boolean | undefined
  count?: ReactNode
  children: ReactNode
}

export function TabLink({ render, current, count, children }: TabLinkProps) {
  const state = current ? { 'aria-current': 'page' as const } : {}
  return renderAs(
    render,
    { className: classNames(styles.tab), ...state },
    children,
    <TabCount key="count" count={count} />,
  )
}

function TabCount({ count }: { count: ReactNode }) {
  if (count === undefined || count === null) return null
  return <span className={styles.count}>{count}</span>
}
