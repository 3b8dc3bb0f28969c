import { LocaleProvider } from '@ark-ui/react/locale'
import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Picture } from '#contract/picture.ts'
import { siteName } from '~/platform/document/head'
import { useSiteSettings } from '~/platform/shell/shell.queries'
import { Spinner } from '~/ui/spinner'
import { preloadEngine } from '../engine'
import { joinMediaSession } from '../media-session'
import { CaptionText } from './caption-text'
import { ControlBar } from './control-bar'
import styles from './player.module.css'
import { BigPlay, Facade, FailurePanel, ResumedChip, UpNext } from './player-overlays'
import { ShortcutHelp } from './shortcut-help'
import { useIdle } from './use-idle'
import { usePlayer } from './use-player'
import type { PlayerStream } from './use-stream'

export interface PlayerProps {
  title: string
  poster: Picture
  /** Shown until the stream tells its own length. */
  durationSeconds: number
  /** Asks for a stream one may play now: at the start, before its address ends, and when it was refused. */
  load: () => Promise<PlayerStream>
  /** Another key is another stream, opened in the same player, so that full screen stays. */
  streamKey: string
  /** Opens by itself; it plays where the browser allows it. */
  autoPlay?: boolean
  /** What must be read before the first play. It stands on the poster, beside the button. */
  notice?: ReactNode
  startLabel: string
  /** The stream runs in this element from now on; answers how to let go of it. */
  onOpen?: (video: HTMLVideoElement) => () => void
  next?: { title: string; go: () => void } | undefined
  /** Stands over the last picture when nothing comes next. */
  ending?: ReactNode
}

/** Plays a stream: the poster first, the engine when it is wanted. */
export function Player(props: PlayerProps) {
  const {
    title,
    poster,
    durationSeconds,
    load,
    streamKey,
    autoPlay = false,
    notice,
    startLabel,
    onOpen,
    next,
    ending,
  } = props
  const { t } = useLingui()
  const root = useRef<HTMLElement>(null)
  const player = usePlayer(root, load)
  const { video, media, phase, stream, open } = player
  const [menuOpen, setMenuOpen] = useState(false)
  const [nextCancelled, setNextCancelled] = useState(false)
  const idle = useIdle(root, media.paused || menuOpen || player.helpShown)
  const started = phase.name !== 'idle'

  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another stream
  useEffect(() => {
    setNextCancelled(false)
    if (autoPlay && video) void open()
  }, [autoPlay, video, open, streamKey])
  useAttachment(phase.name === 'open' ? video : null, onOpen)
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
    >
      {/* biome-ignore lint/a11y/useMediaCaption: the tracks below carry the captions where there are any */}
      <video
        ref={player.setVideo}
        className={styles.video}
        playsInline
        preload="none"
        onClick={started ? player.toggle : undefined}
        onDoubleClick={player.fullScreen.toggle}
      >
        {stream?.captions.map(({ language, label, url }) => (
          <track key={url} kind="captions" srcLang={language} label={label} src={url} />
        ))}
      </video>
      {!media.begun && phase.name !== 'failed' && (
        <Facade
          poster={poster}
          title={title}
          notice={started ? null : notice}
          startLabel={startLabel}
          onStart={player.play}
          onWanted={preloadEngine}
        />
      )}
      {phase.name === 'open' && media.begun && media.paused && !media.ended && (
        <BigPlay label={t`Play`} onPlay={player.play} />
      )}
      {started && (phase.name === 'opening' || media.waiting) && (
        <div className={styles.waiting}>
          <Spinner size="l" label={t`The video is loading.`} />
        </div>
      )}
      <CaptionText video={video} tracks={stream?.captions ?? []} language={player.captions} />
      {player.feedback && <output className={styles.feedback}>{player.feedback}</output>}
      {stream && stream.startSeconds > 0 && media.begun && (
        <ResumedChip seconds={stream.startSeconds} onStartOver={() => player.seek(0)} />
      )}
      {started && phase.name !== 'failed' && (
        <div className={styles.controls}>
          {/* Time runs left to right in every language, and so do the sliders. */}
          <LocaleProvider locale="en-US">
            <ControlBar
              player={player}
              durationSeconds={stream?.durationSeconds ?? durationSeconds}
              onMenu={setMenuOpen}
            />
          </LocaleProvider>
        </div>
      )}
      {media.ended && next && !nextCancelled && (
        <UpNext title={next.title} onGo={next.go} onCancel={() => setNextCancelled(true)} />
      )}
      {media.ended && !next && ending && <div className={styles.ending}>{ending}</div>}
      {phase.name === 'failed' && <FailurePanel phase={phase} onRetry={player.retry} />}
      {player.helpShown && <ShortcutHelp onClose={player.hideHelp} />}
      <noscript>
        <p className={styles.noScript}>{t`Playing a video needs JavaScript.`}</p>
      </noscript>
    </section>
  )
}

function useAttachment(video: HTMLVideoElement | null, onOpen: PlayerProps['onOpen']) {
  useEffect(() => (video && onOpen ? onOpen(video) : undefined), [video, onOpen])
}

function useMediaSession(
  { media, play, video, seekBy }: ReturnType<typeof usePlayer>,
  { title, poster, next }: { title: string; poster: Picture; next: (() => void) | undefined },
) {
  const store = siteName(useSiteSettings())
  const latest = useRef({ play, seekBy, next })
  latest.current = { play, seekBy, next }
  const hasNext = next !== undefined
  useEffect(() => {
    if (!media.begun) return
    return joinMediaSession(
      { title, store, poster },
      {
        play: () => latest.current.play(),
        pause: () => video?.pause(),
        seekBy: (seconds) => latest.current.seekBy(seconds),
        next: hasNext ? () => latest.current.next?.() : undefined,
      },
    )
  }, [media.begun, title, store, poster, video, hasNext])
}
