import { classNames } from './class-names'
import { Icon } from './icon'
import styles from './stepper.module.css'

export interface StepperProps {
  /** "Checkout progress". */
  label: string
  steps: readonly { key: string; label: string }[]
  /** The key of the step one stands at. */
  current: string
}

/** How far a task has come. */
export function Stepper({ label, steps, current }: StepperProps) {
  const now = steps.findIndex((step) => step.key === current)
  return (
    <ol className={styles.steps} aria-label={label}>
      {steps.map((step, position) => (
        <li
          key={step.key}
          className={classNames(styles.step, position < now && styles.done, position === now && styles.now)}
          aria-current={position === now ? 'step' : undefined}
        >
          <span className={styles.mark}>{position < now ? <Icon name="check" size="s" /> : position + 1}</span>
          <span className={styles.name}>{step.label}</span>
        </li>
      ))}
    </ol>
  )
}
