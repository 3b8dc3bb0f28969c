import type { ReactNode } from 'react'
import { Card } from '~/ui/card'
import styles from './figure.module.css'

interface FigureProps {
  label: string
  value: string
  /** How it compares with an earlier time. */
  change?: ReactNode
}

/** A number with what it counts. */
export function Figure({ label, value, change }: FigureProps) {
  return (
    <Card className={styles.figure}>
      <span className={styles.label}>{label}</span>
      <span className={styles.value}>{value}</span>
      {change && <span className={styles.change}>{change}</span>}
    </Card>
  )
}

/** Figures side by side. */
export function Figures({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={styles.figures} aria-label={label}>
      {children}
    </section>
  )
}
