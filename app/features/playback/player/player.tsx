import { LocaleProvider } from '@ark-ui/react/locale'
import { useLingui } from '@lingui/react/macro'
import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import type { Picture } from '#contract/picture.ts'
import { withMessages } from '~/platform/i18n/i18n'
import { lazyPart } from '~/ui/visibility'
import { CaptionText } from './captions'
import { preloadEngine } from './load-engine'
import styles from './player.module.css'
import { ControlButton, PositionChip } from './player-chips'
import { BigPlay, FailurePanel, PosterOverlay, UpNext, Waiting } from './player-overlays'
import { RefusedPanel } from './refused-panel'
import { usePictureGestures } from './shortcuts'
import type { RefusalAnswer } from './stream-errors'
import { useIdle } from './use-display'
import { useMediaSession } from './use-media-session'
import { type PlayerControls, usePlayer } from './use-player'
import type { PlayerStream } from './use-stream'
import { Watermark } from './watermark'

const loadControlBar = () => withMessages(import('./control-bar')).then(({ ControlBar }) => ControlBar)
const ControlBar = lazyPart(loadControlBar)

/** Milliseconds after which a film starts without its bar. */
const barTimeout = 3_000

/** Resolves to the stream once the bar is there too: a network that fails later lacks no part. */
const withBar = async (loading: Promise<PlayerStream>) => {
  const late = new Promise((resolve) => setTimeout(resolve, barTimeout))
  const [stream] = await Promise.all([loading, Promise.race([loadControlBar().catch(() => {}), late])])
  return stream
}

/** What surrounds the film. Where its script cannot be loaded, the film plays on without it. */
function Extra({ children }: { children: ReactNode }) {
  return (
    <CatchBoundary getResetKey={() => 0} errorComponent={() => null}>
      <Suspense>{children}</Suspense>
    </CatchBoundary>
  )
}

const loadSheets = () => withMessages(import('./player-sheets'))
const ShortcutHelp = lazyPart(() => loadSheets().then((sheets) => sheets.ShortcutHelp))
const CaptionStyleSheet = lazyPart(() => loadSheets().then((sheets) => sheets.CaptionStyleSheet))

/** The state that components beside the player can read. */
export interface PlayerView {
  video: HTMLVideoElement
  stream: PlayerStream
  /** The language of the captions; null for none. */
  captions: string | null
}

export interface PlayerProps {
  title: string
  poster: Picture
  /** Used until the stream's duration is known. */
  durationSeconds: number
  /** Requests the stream: at the start, before its URL expires, and after a refusal. */
  load: (answer?: RefusalAnswer) => Promise<PlayerStream>
  /** Another key opens another stream in the same player, so that full screen stays. */
  streamKey: string
  /** The key under which speed, captions, audio and quality are saved. */
  series: string
  /** Opens without a click, and plays where the browser allows it. */
  autoPlay?: boolean
  /** The text that the viewer must read before the first play, shown on the poster. */
  notice?: ReactNode
  startLabel: string
  /**
   * Called when the stream is open in this element; `renew` requests it again. Returns a cleanup
   * function.
   */
  onOpen?: (video: HTMLVideoElement, renew: () => void) => () => void
  /** Called for a new stream or other captions. */
  onView?: (view: PlayerView) => void
  next?: { title: ReactNode; go: () => void } | undefined
  /** Another device's later position. */
  elsewhere?: { seconds: number; onAnswer: () => void } | undefined
  /** Shown over the last frame when nothing comes next. */
  ending?: ReactNode
  /** Renders the link to report a failure at this second. */
  report?: ((seconds: number) => ReactNode) | undefined
}

/** The video player. The engine is loaded when playback is requested. */
export function Player(props: PlayerProps) {
  const { title, poster, durationSeconds, load, streamKey, series, autoPlay = false } = props
  const { notice, startLabel, onOpen, onView, next, elsewhere, ending, report } = props
  const { t } = useLingui()
  const root = useRef<HTMLElement>(null)
  const player = usePlayer(root, (answer) => withBar(load(answer)), series)
  const { video, media, phase, stream, open, captions, sheet } = player
  const [menuOpen, setMenuOpen] = useState(false)
  const [nextCancelled, setNextCancelled] = useState(false)
  const [idle, hide] = useIdle(root, media.paused || menuOpen || sheet !== null)
  const picture = usePictureGestures(player, idle, hide)
  const started = phase.name !== 'idle'
  const isOver = media.ended && !next && Boolean(ending)
  const stopped = phase.name === 'failed' || phase.name === 'refused'

  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another stream
  useEffect(() => {
    setNextCancelled(false)
    if (autoPlay && video) void open()
  }, [autoPlay, video, open, streamKey])
  useAttachment(phase.name === 'open' ? video : null, onOpen, player.renew)
  useEffect(() => {
    if (video && stream) onView?.({ video, stream, captions })
  }, [video, stream, captions, onView])
  // The bar is shown once something plays.
  useEffect(() => {
    loadControlBar().catch(() => {})
  }, [])
  useMediaSession(player, { title, poster, next: next?.go })

  return (
    <section
      ref={root}
      className={styles.player}
      aria-label={t`Player: ${title}`}
      data-theme="dark"
      data-player
      data-idle={idle || undefined}
      data-started={started || undefined}
      data-over={isOver || undefined}
    >
      <video
        ref={player.setVideo}
        className={styles.video}
        playsInline
        preload="none"
        // A separate window would show the video without its watermark.
        disablePictureInPicture={Boolean(stream?.watermark)}
        disableRemotePlayback={Boolean(stream?.watermark)}
        {...(started && picture)}
      >
        {stream?.captions.map(({ language, label, url }) => (
          <track key={language} kind="captions" srcLang={language} label={label} src={url} />
        ))}
      </video>
      {!media.started && !stopped && (
        <PosterOverlay
          poster={poster}
          title={title}
          notice={started ? null : notice}
          startLabel={startLabel}
          onStart={player.play}
          onIntent={preloadEngine}
        />
      )}
      {phase.name === 'open' && media.started && media.paused && !media.ended && (
        <BigPlay label={t`Play`} onPlay={player.play} />
      )}
      {started && !stopped && (phase.name === 'opening' || media.waiting) && <Waiting />}
      <CaptionText video={video} tracks={stream?.captions ?? []} language={captions} look={player.captionStyle} />
      {player.feedback && <output className={styles.feedback}>{player.feedback}</output>}
      {stream && media.started && phase.name === 'open' && (
        <PositionChip key={streamKey} resumedAt={stream.startSeconds} elsewhere={elsewhere} onSeek={player.seek} />
      )}
      {started && !stopped && (
        <div className={styles.controls}>
          {/* The sliders run left to right in every language. */}
          <LocaleProvider locale="en-US">
            <Extra>
              <ControlBar
                player={player}
                durationSeconds={stream?.durationSeconds ?? durationSeconds}
                onMenu={setMenuOpen}
              />
            </Extra>
          </LocaleProvider>
        </div>
      )}
      {media.ended && next && !nextCancelled && (
        <UpNext title={next.title} onPlayNext={next.go} onCancel={() => setNextCancelled(true)} />
      )}
      {isOver && (
        <div className={styles.ending}>
          {ending}
          <div className={styles.again}>
            <ControlButton icon="retry" label={t`Watch again`} onClick={player.play} />
          </div>
        </div>
      )}
      {phase.name === 'failed' && (
        <FailurePanel
          phase={phase}
          onRetry={() => player.retry()}
          report={report?.(Math.floor(video?.currentTime ?? 0))}
        />
      )}
      {phase.name === 'refused' && <RefusedPanel refusal={phase.refusal} onAnswer={player.retry} />}
      {stream?.watermark && started && !stopped && <Watermark text={stream.watermark} root={root} />}
      <Sheets player={player} />
      <noscript>
        <p className={styles.noScript}>{t`Turn on JavaScript to play videos.`}</p>
      </noscript>
    </section>
  )
}

/** The panel that is open over the picture. */
function Sheets({ player: { sheet, setSheet, captionStyle, changeCaptionStyle } }: { player: PlayerControls }) {
  const close = () => setSheet(null)
  return (
    <Extra>
      {sheet === 'keys' && <ShortcutHelp onClose={close} />}
      {sheet === 'caption style' && (
        <CaptionStyleSheet look={captionStyle} onChange={changeCaptionStyle} onClose={close} />
      )}
    </Extra>
  )
}

function useAttachment(video: HTMLVideoElement | null, onOpen: PlayerProps['onOpen'], renew: () => void) {
  useEffect(() => (video && onOpen ? onOpen(video, renew) : undefined), [video, onOpen, renew])
}
