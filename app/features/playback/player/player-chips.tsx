import { Trans } from '@lingui/react/macro'
import { type ComponentPropsWithRef, type ReactNode, useEffect, useRef, useState } from 'react'
import { formatDuration } from '#contract/dates.ts'
import { classNames } from '~/ui/element'
import { Icon, type IconName } from '~/ui/icon'
import controlButtonStyles from './control-button.module.css'
import styles from './player-chips.module.css'

interface ControlButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'children'> {
  icon: IconName
  label: string
  /** The keyboard shortcut, for the tooltip and assistive technology. */
  keys?: string
  /** Text beside the icon. */
  text?: string | undefined
  /** The text's language, where it is not the page's. */
  textLang?: string | undefined
}

/** A button of the control bar. Its tooltip shows name and shortcut. */
export function ControlButton({ icon, label, keys, text, textLang, ...rest }: ControlButtonProps) {
  return (
    <button
      type="button"
      className={classNames(controlButtonStyles.button, text && controlButtonStyles.wide)}
      aria-label={text ? `${label}: ${text}` : label}
      aria-keyshortcuts={keys}
      {...rest}
    >
      <Icon name={icon} size="l" />
      {text && (
        <span className={controlButtonStyles.text} dir="auto" lang={textLang}>
          {text}
        </span>
      )}
      <span className={controlButtonStyles.tooltip} aria-hidden>
        {label}
        {keys && <kbd className={controlButtonStyles.key}>{keys}</kbd>}
      </span>
    </button>
  )
}

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
  onSeek: (seconds: number) => void
}

/** Explains the start position where the viewer may not expect it. */
export function PositionChip({ resumedAt, elsewhere, onSeek }: PositionProps) {
  if (elsewhere) return <OtherDeviceChip {...elsewhere} onSeek={onSeek} />
  return resumedAt > 0 ? <ResumedChip seconds={resumedAt} onSeek={onSeek} /> : null
}

const offerMilliseconds = 8_000

/** Shows where playback resumed and offers to start over, then to go back. */
function ResumedChip({ seconds, onSeek }: { seconds: number; onSeek: (seconds: number) => void }) {
  const [offer, setOffer] = useState<'start over' | 'go back' | null>('start over')
  // biome-ignore lint/correctness/useExhaustiveDependencies: each offer restarts it
  useEffect(() => {
    const timer = setTimeout(() => setOffer(null), offerMilliseconds)
    return () => clearTimeout(timer)
  }, [offer])
  if (!offer) return null
  const position = formatDuration(seconds)
  const seekToOffer = () => {
    onSeek(offer === 'start over' ? 0 : seconds)
    setOffer(offer === 'start over' ? 'go back' : null)
  }
  return (
    <Chip>
      {offer === 'start over' && (
        <span>
          <Trans>Resuming from {position}</Trans>
        </span>
      )}
      <button type="button" className={styles.action} onClick={seekToOffer}>
        {offer === 'start over' ? <Trans>Start over</Trans> : <Trans>Back to {position}</Trans>}
      </button>
    </Chip>
  )
}

const promptMilliseconds = 20_000

interface OtherDeviceProps {
  seconds: number
  onSeek: (seconds: number) => void
  /** The viewer chose, or kept watching here until the question expired. */
  onAnswer: () => void
}

/** Another device has a later position: asks where to continue. */
function OtherDeviceChip({ seconds, onSeek, onAnswer }: OtherDeviceProps) {
  const answer = useRef(onAnswer)
  answer.current = onAnswer
  useEffect(() => {
    const timer = setTimeout(() => answer.current(), promptMilliseconds)
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
          onSeek(seconds)
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
