import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import type { Picture as PictureData } from '#contract/picture.ts'
import { readOnlyMessage } from '~/platform/api/failures'
import { Button, Spinner } from '~/ui/button'
import { Icon } from '~/ui/icon'
import { Picture } from '~/ui/picture'
import styles from './player-overlays.module.css'
import type { StreamPhase } from './use-stream'

interface PosterOverlayProps {
  poster: PictureData
  title: string
  /** The text that the viewer must read before the first play. */
  notice: ReactNode
  startLabel: string
  onStart: () => void
  onIntent: () => void
}

/** The poster with the play button, before playback. */
export function PosterOverlay({ poster, title, notice, startLabel, onStart, onIntent }: PosterOverlayProps) {
  return (
    <div className={styles.facade}>
      <Picture
        className={styles.poster}
        picture={poster}
        sizes="(min-width: 70rem) 66vw, 100vw"
        rounded={false}
        eager
        decorative
      />
      <div className={notice ? styles.noticed : styles.start}>
        {notice ? (
          <div className={styles.notice}>
            <div className={styles.noticeText}>{notice}</div>
            <Button
              variant="inverse"
              size="l"
              icon="play"
              onClick={onStart}
              onPointerEnter={onIntent}
              onFocus={onIntent}
            >
              {startLabel}
            </Button>
          </div>
        ) : (
          <BigPlay label={`${startLabel}: ${title}`} onPlay={onStart} onIntent={onIntent} />
        )}
      </div>
    </div>
  )
}

interface BigPlayProps {
  label: string
  onPlay: () => void
  onIntent?: () => void
}

/** The large play button in the middle of the picture. */
export function BigPlay({ label, onPlay, onIntent }: BigPlayProps) {
  return (
    <button
      type="button"
      className={styles.bigPlay}
      aria-label={label}
      onClick={onPlay}
      onPointerEnter={onIntent}
      onFocus={onIntent}
    >
      <Icon name="play" size="xl" />
    </button>
  )
}

/** Milliseconds after which a message about the wait appears. */
const longWait = 6_000

/** The spinner. After a while it explains the wait; offline it says so at once. */
export function Waiting() {
  const { t } = useLingui()
  const [isLong, setIsLong] = useState(false)
  const isOnline = useSyncExternalStore(
    watchConnection,
    () => navigator.onLine,
    () => true,
  )
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), longWait)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={styles.waiting}>
      <Spinner size="l" label={t`Loading video…`} />
      <p className={styles.trouble} role="status">
        {!isOnline && <OfflineMessage />}
        {isOnline && isLong && <Trans>The video is taking a while to load. Still trying…</Trans>}
      </p>
    </div>
  )
}

const watchConnection = (onChange: () => void) => {
  for (const event of ['online', 'offline']) window.addEventListener(event, onChange)
  return () => {
    for (const event of ['online', 'offline']) window.removeEventListener(event, onChange)
  }
}

const OfflineMessage = () => <Trans>You’re offline. The video will resume when you’re back online.</Trans>

interface FailurePanelProps {
  phase: Extract<StreamPhase, { name: 'failed' }>
  onRetry: () => void
  /** The link to report the failure. */
  report: ReactNode
}

/** Explains why nothing plays, with a retry and a link to report it. */
export function FailurePanel({ phase, onRetry, report }: FailurePanelProps) {
  const { t } = useLingui()
  const reasons = {
    OFFLINE: <OfflineMessage />,
    NETWORK: t`The connection to the video was lost.`,
    GONE: t`This video is no longer available.`,
    DECODE: t`This device can’t display this video.`,
    UNSUPPORTED: t`This browser can’t play streaming video. Try a newer browser.`,
    PROTECTED: t`This browser or device can’t play protected videos.`,
    READ_ONLY: t(readOnlyMessage),
    UNAVAILABLE: t`We couldn’t open this video.`,
  }
  const { failure } = phase
  useEffect(() => {
    if (failure !== 'OFFLINE') return
    window.addEventListener('online', onRetry)
    return () => window.removeEventListener('online', onRetry)
  }, [failure, onRetry])
  return (
    <div className={styles.panel} role="alert">
      <Icon name="warning" size="xl" />
      <p className={styles.reason}>{reasons[failure]}</p>
      {failure !== 'READ_ONLY' && (
        <div className={styles.actions}>
          <Button variant="inverse" icon="retry" onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
          {report}
        </div>
      )}
    </div>
  )
}

const countdownSeconds = 8

/** Counts down to the next video, with a button to cancel. */
export function UpNext({
  title,
  onPlayNext,
  onCancel,
}: {
  title: ReactNode
  onPlayNext: () => void
  onCancel: () => void
}) {
  const [secondsLeft, setLeft] = useState(countdownSeconds)
  useEffect(() => {
    if (secondsLeft <= 0) return onPlayNext()
    const timer = setTimeout(() => setLeft(secondsLeft - 1), 1_000)
    return () => clearTimeout(timer)
  }, [secondsLeft, onPlayNext])
  return (
    <div className={styles.panel}>
      <p className={styles.small} aria-live="polite">
        <Plural value={secondsLeft} one="Up next in # second" other="Up next in # seconds" />
      </p>
      <p className={styles.nextTitle}>{title}</p>
      <div className={styles.actions}>
        <Button variant="inverse" icon="play" onClick={onPlayNext}>
          <Trans>Play now</Trans>
        </Button>
        <Button variant="secondary" onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </div>
  )
}
