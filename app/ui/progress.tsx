import type { CSSProperties } from 'react'
import { classNames } from './element'
import { Icon } from './icon'
import styles from './progress-bar.module.css'
import stepperStyles from './stepper.module.css'

export interface ProgressBarProps {
  /** 0 to 1. */
  fraction: number
  /** The accessible name. */
  label: string
}

export function ProgressBar({ fraction, label }: ProgressBarProps) {
  const inside = Math.min(1, Math.max(0, fraction))
  const style: CSSProperties & Record<'--fraction', number> = { '--fraction': inside }
  return (
    <span
      className={styles.bar}
      style={style}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(inside * 100)}
    />
  )
}

export interface StepperProps {
  /** "Checkout progress". */
  label: string
  steps: readonly { key: string; label: string }[]
  /** The key of the current step. */
  current: string
}

/** The steps of a task with the current one. */
export function Stepper({ label, steps, current }: StepperProps) {
  const now = steps.findIndex((step) => step.key === current)
  return (
    <ol className={stepperStyles.steps} aria-label={label}>
      {steps.map((step, position) => (
        <li
          key={step.key}
          className={classNames(
            stepperStyles.step,
            position < now && stepperStyles.done,
            position === now && stepperStyles.now,
          )}
          aria-current={position === now ? 'step' : undefined}
        >
          <span className={stepperStyles.mark}>{position < now ? <Icon name="check" size="s" /> : position + 1}</span>
          <span className={stepperStyles.name}>{step.label}</span>
        </li>
      ))}
    </ol>
  )
}
