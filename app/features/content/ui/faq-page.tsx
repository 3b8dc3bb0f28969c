import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { FaqEntry } from '#contract/content.ts'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Icon } from '~/ui/icon'
import { Prose } from '~/ui/prose'
import { SectionHeading } from '~/ui/section-heading'
import { TextField } from '~/ui/text-field'
import { faqQuery } from '../content.functions'
import styles from './faq.module.css'
import page from './text-page.module.css'

const plain = (text: string) =>
  text
    .replaceAll(/<[^>]*>/g, ' ')
    .normalize('NFKC')
    .toLowerCase()

/** Returns the questions whose text or answer contains every typed word. */
function matchingFaq(entries: readonly FaqEntry[], typed: string): readonly FaqEntry[] {
  const words = plain(typed).split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries
  return entries.filter(({ question, answer }) => {
    const text = `${plain(question)} ${plain(answer)}`
    return words.every((word) => text.includes(word))
  })
}

interface FaqGroupProps {
  name: string
  entries: readonly FaqEntry[]
  /** Answers that are open at first, for example with few search results. */
  open: boolean
}

function FaqGroup({ name, entries, open }: FaqGroupProps) {
  return (
    <section>
      <SectionHeading title={<bdi lang={entries[0]?.languages?.group}>{name}</bdi>} />
      <div className={styles.questions}>
        {entries.map(({ id, question, answer, languages }) => (
          // A native disclosure: works without JavaScript, and "find in page" opens it.
          <details key={id} id={id} className={styles.item} open={open && entries.length < 4}>
            <summary className={styles.question}>
              <bdi className={styles.text} lang={languages?.question}>
                {question}
              </bdi>
              <Icon name="chevron-down" size="m" />
            </summary>
            <div className={styles.answer}>
              <Prose html={answer} lang={languages?.answer} />
            </div>
          </details>
        ))}
      </div>
    </section>
  )
}

/** Questions and answers in groups. Typing filters them at once and updates the URL. */
export function FaqPage({ q = '' }: { q?: string | undefined }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const entries = useSuspenseQuery(faqQuery).data
  const [terms, setTerms] = useState(q)
  const matchingEntries = matchingFaq(entries, terms)
  const groups = [...new Set(matchingEntries.map(({ group }) => group))]

  const updateSearch = (next: string) => {
    setTerms(next)
    void navigate({
      to: '/faq',
      search: next.trim() ? { q: next.trim() } : {},
      replace: true,
      resetScroll: false,
    })
  }
  const submit = (event: FormEvent) => event.preventDefault()

  return (
    <div className={page.page}>
      <h1 className={page.title}>
        <Trans>FAQ</Trans>
      </h1>
      <search>
        <form action="/faq" onSubmit={submit}>
          <TextField
            label={t`Search FAQ`}
            type="search"
            name="q"
            icon="search"
            value={terms}
            maxLength={100}
            autoComplete="off"
            onChange={(event) => updateSearch(event.target.value)}
          />
        </form>
      </search>
      <div className={styles.groups} aria-live="polite">
        {groups.map((group) => (
          <FaqGroup
            key={group}
            name={group}
            entries={matchingEntries.filter((entry) => entry.group === group)}
            open={Boolean(terms.trim())}
          />
        ))}
        {matchingEntries.length === 0 && (
          <EmptyState
            icon="search"
            title={terms.trim() ? <Trans>No results for “{terms}”</Trans> : <Trans>No questions yet</Trans>}
            actions={terms.trim() && <Button onClick={() => updateSearch('')}>{t`Show all questions`}</Button>}
          >
            {terms.trim() && <Trans>Try fewer or more general words.</Trans>}
          </EmptyState>
        )}
      </div>
    </div>
  )
}
