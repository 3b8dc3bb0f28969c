import type { FaqEntry } from '#contract/content.ts'
import { Icon } from '~/ui/icon'
import { Prose } from '~/ui/prose'
import styles from './faq.module.css'

interface FaqGroupProps {
  name: string
  entries: readonly FaqEntry[]
  /** Answers in view from the start, as when something was searched for and little is left. */
  open: boolean
}

export function FaqGroup({ name, entries, open }: FaqGroupProps) {
  return (
    <section>
      <h2 className={styles.group}>{name}</h2>
      <div className={styles.list}>
        {entries.map(({ id, question, answer }) => (
          <details key={id} className={styles.entry} open={open && entries.length < 4}>
            <summary className={styles.question}>
              {question}
              <Icon name="chevron-down" size="m" />
            </summary>
            <div className={styles.answer}>
              <Prose html={answer} />
            </div>
          </details>
        ))}
      </div>
    </section>
  )
}
