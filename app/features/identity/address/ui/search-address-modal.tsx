import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import type { AddressMatch } from '#contract/identity.ts'
import { problemOf } from '~/platform/api/problem'
import { labels } from '~/platform/labels'
import { Button } from '~/ui/button'
import { EmptyState, ErrorState } from '~/ui/empty-state'
import { Skeleton } from '~/ui/skeleton'
import { TextField } from '~/ui/text-field'
import { addressSearchQuery } from '../address.functions'
import { addressSearchRequest, closeWithAddress } from '../use-postal-address'
import styles from './search-address-modal.module.css'

/** Searches postal addresses. A choice closes the modal and fills the form that opened it. */
export function SearchAddressModal({ data }: { data: unknown }) {
  const { t } = useLingui()
  const request = addressSearchRequest.safeParse(data).data ?? { fieldsId: '', text: '' }
  const [text, setText] = useState(request.text)
  const [searched, setSearched] = useState(text.trim())
  const list = useRef<HTMLUListElement>(null)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSearched(text.trim())
  }
  const intoList = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || event.nativeEvent.isComposing) return
    event.preventDefault()
    list.current?.querySelector('button')?.focus()
  }
  return (
    <div className={styles.modal}>
      <form onSubmit={submit} onKeyDown={intoList} className={styles.form}>
        <TextField
          type="search"
          name="address"
          label={<Trans>Street, building, or postal code</Trans>}
          hint={t`Example: 세종대로 110`}
          data-autofocus
          value={text}
          autoComplete="off"
          enterKeyHint="search"
          dir="auto"
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" variant="primary" icon="search" full>
          <Trans>Search</Trans>
        </Button>
      </form>
      <div className={styles.results}>
        <Results
          text={searched}
          listRef={list}
          onChoose={(match) => closeWithAddress({ fieldsId: request.fieldsId, match })}
        />
      </div>
    </div>
  )
}

interface ResultsProps {
  text: string
  listRef: React.RefObject<HTMLUListElement | null>
  onChoose: (match: AddressMatch) => void
}

function Results({ text, listRef, onChoose }: ResultsProps) {
  const { t, i18n } = useLingui()
  const { data: matches, error, isFetching, refetch } = useQuery(addressSearchQuery(text))
  if (!text) return null
  if (isFetching && !matches) return <ResultsPending />
  if (error) {
    const tooMany = problemOf(error)?.status === 429
    return (
      <ErrorState
        compact
        title={
          tooMany
            ? t`Too many searches. Wait a minute and try again.`
            : t`Address search isn’t available right now. You can enter the address yourself.`
        }
        retry={{ label: i18n._(labels.tryAgain), onRetry: () => refetch(), pending: isFetching }}
      />
    )
  }
  if (!matches?.length) {
    return (
      <div role="status">
        <EmptyState compact icon="search" headingLevel="h3" title={i18n._(labels.noResults)}>
          <Trans>Check the spelling, use fewer words, or close this window and enter the address yourself.</Trans>
        </EmptyState>
      </div>
    )
  }
  return (
    <>
      <p role="status" className={styles.count}>
        <Plural value={matches.length} one="# address found" other="# addresses found" />
      </p>
      <ul ref={listRef} className={styles.list} onKeyDown={walk}>
        {matches.map((match) => (
          <li key={`${match.postcode} ${match.road} ${match.building ?? ''}`}>
            <button type="button" className={styles.match} onClick={() => onChoose(match)}>
              <span className={styles.road} dir="auto">
                {match.road}
                {match.building && <span className={styles.building}>{match.building}</span>}
              </span>
              <span className={styles.postcode}>{match.postcode}</span>
              {match.lot && (
                <span className={styles.lot} dir="auto">
                  {match.lot}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

/** Moves the focus: arrow keys to the next address, Home and End to the ends. */
function walk(event: KeyboardEvent<HTMLUListElement>) {
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.findIndex((button) => button === event.target)
  const step = steps[event.key]
  const next = event.key === 'Home' ? 0 : event.key === 'End' ? buttons.length - 1 : step ? at + step : undefined
  if (next === undefined || !buttons[next]) return
  event.preventDefault()
  buttons[next].focus()
}

function ResultsPending() {
  return (
    <div aria-busy className={styles.waiting}>
      <Skeleton width="100%" height="3.5rem" />
      <Skeleton width="100%" height="3.5rem" />
      <Skeleton width="100%" height="3.5rem" />
    </div>
  )
}
