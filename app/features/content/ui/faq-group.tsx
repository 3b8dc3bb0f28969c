import type { FaqEntry } from '#contract/content.ts'
import { Accordion, AccordionItem } from '~/ui/accordion'
import { Prose } from '~/ui/prose'
import { SectionHeading } from '~/ui/section-heading'

interface FaqGroupProps {
  name: string
  entries: readonly FaqEntry[]
  /** Answers in view from the start, as when something was searched for and little is left. */
  open: boolean
}

export function FaqGroup({ name, entries, open }: FaqGroupProps) {
  return (
    <section>
      <SectionHeading title={<bdi lang={entries[0]?.languages?.group}>{name}</bdi>} />
      <Accordion>
        {entries.map(({ id, question, answer, languages }) => (
          <AccordionItem
            key={id}
            id={id}
            title={<bdi lang={languages?.question}>{question}</bdi>}
            open={open && entries.length < 4}
          >
            <Prose html={answer} lang={languages?.answer} />
          </AccordionItem>
        ))}
      </Accordion>
    </section>
  )
}
