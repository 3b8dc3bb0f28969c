import { classNames } from './class-names'
import styles from './password-meter.module.css'

export interface PasswordMeterProps {
  /** Null while nothing was typed. */
  strength: 'weak' | 'medium' | 'strong' | null
  /** `empty` is the invitation to type. */
  labels: { weak: string; medium: string; strong: string; empty: string }
}

/** How strong a chosen password is, in three steps and a word. */
export function PasswordMeter({ strength, labels }: PasswordMeterProps) {
  return (
    <div className={classNames(styles.meter, strength && styles[strength])}>
      <span className={styles.bars} aria-hidden>
        <span className={styles.bar} />
        <span className={styles.bar} />
        <span className={styles.bar} />
      </span>
      <output className={styles.word}>{labels[strength ?? 'empty']}</output>
    </div>
  )
}
