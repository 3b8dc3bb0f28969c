import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { Button, IconButton } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Select } from '~/ui/select'
import { Skeleton } from '~/ui/skeleton'
import { readCues } from '../player/captions'
import type { PlayerView } from '../player/player'
import { TimedLines, useRunningLine } from './timed-lines'
import styles from './transcript.module.css'

/** Folds case, width and accents. Each letter stays one letter, so that offsets stay valid. */
const fold = (text: string) =>
  Array.from(text, (letter) => {
    const plain = letter.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
    // Hangul would decompose, so it is matched as written.
    return plain.length === letter.length ? plain : letter.toLowerCase()
  }).join('')

const normalizeTerm = (term: string) => fold(term.normalize('NFC').trim()).replaceAll(/\s+/g, ' ')

/** The indexes of the lines that contain `term`. */
function findCaptionMatches(lines: readonly { text: string }[], term: string): number[] {
  const normalizedTerm = normalizeTerm(term)
  if (normalizedTerm === '') return []
  return lines.flatMap(({ text }, index) => (fold(text).replaceAll('\n', ' ').includes(normalizedTerm) ? [index] : []))
}

/** A line with the matches of `term` marked. */
function highlightMatches(text: string, term: string): ReactNode {
  const normalizedTerm = normalizeTerm(term)
  const folded = fold(text).replaceAll('\n', ' ')
  const parts: ReactNode[] = []
  let from = 0
  for (let at = folded.indexOf(normalizedTerm); at >= 0 && normalizedTerm; at = folded.indexOf(normalizedTerm, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + normalizedTerm.length)}</mark>)
    from = at + normalizedTerm.length
  }
  return [...parts, text.slice(from)]
}

/**
 * The transcript from a stream's captions. Their URL is renewed during playback; the data stay
 * cached.
 */
const transcriptQuery = (track: { language: string; url: string } | undefined) =>
  queryOptions({
    // The file's path without the part of the URL that expires.
    queryKey: ['transcript', track?.url.split('/').slice(-3).join('/')],
    queryFn: track === undefined ? skipToken : ({ signal }) => readCues(track.url, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  })

/** The transcript beside the video: it follows playback and can be searched. */
export function Transcript({ view, onJump }: { view: PlayerView; onJump: (seconds: number) => void }) {
  const { t, i18n } = useLingui()
  const tracks = view.stream.captions
  const [chosen, setChosen] = useState<string>()
  const first = tracks.find(({ language }) => language === i18n.locale) ?? tracks[0]
  const track = tracks.find(({ language }) => language === (chosen ?? view.captions)) ?? first
  const { data: lines, isError, refetch } = useQuery(transcriptQuery(track))
  const current = useRunningLine(view.video, lines)
  const [term, setTerm] = useState('')
  const [step, setStep] = useState(0)
  const matches = findCaptionMatches(lines ?? [], term)
  const currentMatch = matches.length > 0 ? matches[step % matches.length] : undefined

  const mark = useMemo(() => (term.trim() === '' ? undefined : (text: string) => highlightMatches(text, term)), [term])

  const jumpTo = (index: number | undefined) => {
    const line = index === undefined ? undefined : lines?.[index]
    if (line) onJump(line.startSeconds)
  }
  const go = (by: 1 | -1) => {
    if (matches.length === 0) return
    const next = (step + by + matches.length) % matches.length
    setStep(next)
    jumpTo(matches[next])
  }
  const search = (value: string) => {
    setTerm(value)
    setStep(0)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    // The first press goes to the shown match; the next ones continue.
    if (currentMatch !== undefined && current !== currentMatch) jumpTo(currentMatch)
    else go(event.shiftKey ? -1 : 1)
  }

  if (!track) return <EmptyState compact icon="transcript" title={t`This video has no transcript.`} />
  if (isError)
    return (
      <EmptyState
        compact
        icon="warning"
        title={t`We couldn’t load the transcript.`}
        actions={
          <Button icon="retry" onClick={() => refetch()}>
            <Trans>Try again</Trans>
          </Button>
        }
      />
    )
  return (
    <div className={styles.transcript}>
      <search className={styles.tools}>
        <input
          className={styles.field}
          type="search"
          aria-label={t`Search transcript`}
          placeholder={t`Search transcript`}
          value={term}
          onChange={(event) => search(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {tracks.length > 1 && (
          <Select
            label={t`Transcript language`}
            labelHidden
            size="s"
            value={track.language}
            options={tracks.map(({ language, label }) => ({ value: language, label }))}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        )}
      </search>
      {term.trim() !== '' && (
        <div className={styles.found}>
          <output>
            {matches.length === 0 ? (
              <Trans>No matches in the transcript</Trans>
            ) : (
              <Plural value={matches.length} one="# match" other="# matches" />
            )}
          </output>
          {matches.length > 0 && (
            <>
              <IconButton icon="chevron-up" size="s" label={t`Previous match`} onClick={() => go(-1)} />
              <IconButton icon="chevron-down" size="s" label={t`Next match`} onClick={() => go(1)} />
            </>
          )}
        </div>
      )}
      {lines ? (
        <TimedLines
          label={t`Transcript`}
          lang={track.language}
          lines={lines}
          current={current}
          found={currentMatch}
          mark={mark}
          onJump={onJump}
        />
      ) : (
        <div className={styles.waiting} aria-busy>
          <Skeleton height="2rem" />
          <Skeleton height="2rem" />
          <Skeleton height="2rem" />
        </div>
      )}
    </div>
  )
}
