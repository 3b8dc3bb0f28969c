import { Trans } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { formatDuration } from '#contract/dates.ts'
import styles from './player-chips.module.css'

/** A message with actions in the upper corner of the picture. Playback continues. */
function Chip({ children }: { children: ReactNode }) {
  return (
    <div className={styles.chip} role="status">
      {children}
    </div>
  )
}

interface PositionProps {
  /** Where playback resumed; 0 from the beginning. */
  resumedAt: number
  elsewhere: { seconds: number; onAnswer: () => void } | undefined
  onGo: (seconds: number) => void
}

/** Explains the start position where the viewer may not expect it. */
export function PositionChip({ resumedAt, elsewhere, onGo }: PositionProps) {
  if (elsewhere) return <ElsewhereChip {...elsewhere} onGo={onGo} />
  return resumedAt > 0 ? <ResumedChip seconds={resumedAt} onGo={onGo} /> : null
}

const offerLife = 8_000

/** Shows where playback resumed and offers to start over, then to go back. */
function ResumedChip({ seconds, onGo }: { seconds: number; onGo: (seconds: number) => void }) {
  const [offer, setOffer] = useState<'start over' | 'go back' | null>('start over')
  // biome-ignore lint/correctness/useExhaustiveDependencies: another offer stands as long as the first
  useEffect(() => {
    const timer = setTimeout(() => setOffer(null), offerLife)
    return () => clearTimeout(timer)
  }, [offer])
  if (!offer) return null
  const position = formatDuration(seconds)
  const take = () => {
    onGo(offer === 'start over' ? 0 : seconds)
    setOffer(offer === 'start over' ? 'go back' : null)
  }
  return (
    <Chip>
      {offer === 'start over' && (
        <span>
          <Trans>Resuming from {position}</Trans>
        </span>
      )}
      <button type="button" className={styles.action} onClick={take}>
        {offer === 'start over' ? <Trans>Start over</Trans> : <Trans>Back to {position}</Trans>}
      </button>
    </Chip>
  )
}

const questionLife = 20_000

interface ElsewhereProps {
  seconds: number
  onGo: (seconds: number) => void
  /** The viewer chose, or kept watching here until the question expired. */
  onAnswer: () => void
}

/** Another device has a later position: asks where to continue. */
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
        <Trans>You watched up to {position} on another device.</Trans>
      </span>
      <button
        type="button"
        className={styles.action}
        onClick={() => {
          onGo(seconds)
          onAnswer()
        }}
      >
        <Trans>Resume there</Trans>
      </button>
      <button type="button" className={styles.action} onClick={onAnswer}>
        <Trans>Stay here</Trans>
      </button>
    </Chip>
  )
}
