import { Trans } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { formatDuration } from '~/platform/format/dates'
import styles from './player-chips.module.css'

/** A word over the picture's lower corner, with what can be done about it. It does not stop the film. */
function Chip({ children }: { children: ReactNode }) {
  return (
    <div className={styles.chip} role="status">
      {children}
    </div>
  )
}

interface PlaceProps {
  /** Where it went on; 0 from the beginning. */
  resumedAt: number
  elsewhere: { seconds: number; onAnswer: () => void } | undefined
  onGo: (seconds: number) => void
}

/** Where it plays, when that may not be what the person expects. */
export function PlaceChip({ resumedAt, elsewhere, onGo }: PlaceProps) {
  if (elsewhere) return <ElsewhereChip {...elsewhere} onGo={onGo} />
  return resumedAt > 0 ? <ResumedChip seconds={resumedAt} onStartOver={() => onGo(0)} /> : null
}

const offerLife = 9_000

/** Says where it went on, and offers the beginning. */
function ResumedChip({ seconds, onStartOver }: { seconds: number; onStartOver: () => void }) {
  const [shown, setShown] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setShown(false), offerLife)
    return () => clearTimeout(timer)
  }, [])
  if (!shown) return null
  const position = formatDuration(seconds)
  return (
    <Chip>
      <span>
        <Trans>Going on at {position}</Trans>
      </span>
      <button
        type="button"
        className={styles.action}
        onClick={() => {
          onStartOver()
          setShown(false)
        }}
      >
        <Trans>Start over</Trans>
      </button>
    </Chip>
  )
}

const questionLife = 20_000

interface ElsewhereProps {
  seconds: number
  onGo: (seconds: number) => void
  /** The person chose, or went on watching here for so long that this is the answer. */
  onAnswer: () => void
}

/** Another device went further: asks where to go on. */
function ElsewhereChip({ seconds, onGo, onAnswer }: ElsewhereProps) {
  const answer = useRef(onAnswer)
  answer.current = onAnswer
  useEffect(() => {
    const timer = setTimeout(() => answer.current(), questionLife)
    return () => clearTimeout(timer)
  }, [])
  const position = formatDuration(seconds)
  return (
    <Chip>
      <span>
        <Trans>You went on to {position} on another device.</Trans>
      </span>
      <button
        type="button"
        className={styles.action}
        onClick={() => {
          onGo(seconds)
          onAnswer()
        }}
      >
        <Trans>Go there</Trans>
      </button>
      <button type="button" className={styles.action} onClick={onAnswer}>
        <Trans>Stay here</Trans>
      </button>
    </Chip>
  )
}
