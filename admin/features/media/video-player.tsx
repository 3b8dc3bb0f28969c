import { Trans, useLingui } from '@lingui/react/macro'
import type Hls from 'hls.js'
import { type RefObject, useDeferredValue, useEffect, useState } from 'react'
import type { StoreVideo } from '#contract/admin/videos.ts'
import { markupOfEdited } from '#contract/captions.ts'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { byStart, type EditedCue } from './cues'
import styles from './media.module.css'

/** Safari plays HLS by itself. */
const playsNatively = (video: HTMLVideoElement) =>
  'ManagedMediaSource' in window && video.canPlayType('application/vnd.apple.mpegurl') !== ''

type Stream = NonNullable<StoreVideo['stream']>

/** The licence URLs of an encrypted stream, as hls.js takes them. */
const licencesOf = ({ drm }: Stream) => {
  const absolute = (url: string) => new URL(url, location.href).href
  return Object.fromEntries(
    Object.entries(drm ?? {}).map(([keySystem, { licenceUrl, certificateUrl }]) => [
      keySystem,
      {
        licenseUrl: absolute(licenceUrl),
        ...(certificateUrl !== null && { serverCertificateUrl: absolute(certificateUrl) }),
      },
    ]),
  )
}

/** Opens a stream in a video element. Returns whether it could not be played. */
const useStream = (place: RefObject<HTMLVideoElement | null>, stream: Stream | null): boolean => {
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    const video = place.current
    if (!video || stream === null) return
    setFailed(false)
    // hls.js fetches the licences of encrypted streams in every browser.
    if (stream.drm === null && playsNatively(video)) {
      video.src = stream.manifestUrl
      return
    }
    let hls: Hls | undefined
    let isOver = false
    const open = async () => {
      const { default: HlsEngine } = await import('hls.js')
      if (isOver) return
      // The console's pages run no scripts from `blob:`, as its worker would be.
      hls = new HlsEngine({
        enableWorker: false,
        renderTextTracksNatively: false,
        capLevelToPlayerSize: true,
        emeEnabled: stream.drm !== null,
        drmSystems: licencesOf(stream),
      })
      hls.on(HlsEngine.Events.ERROR, (_, { fatal }) => {
        if (fatal) setFailed(true)
      })
      hls.attachMedia(video)
      hls.loadSource(stream.manifestUrl)
    }
    open().catch(() => setFailed(true))
    return () => {
      isOver = true
      hls?.destroy()
    }
  }, [place, stream])
  return hasFailed
}

/** Shows captions in a video element as they are edited. */
const useShownCues = (place: RefObject<HTMLVideoElement | null>, cues: readonly EditedCue[], language: string) => {
  const latest = useDeferredValue(cues)
  useEffect(() => {
    const video = place.current
    if (!video) return
    // A track cannot be removed, so that it is used again.
    const track = video.textTracks[0] ?? video.addTextTrack('captions', 'Captions', language)
    // Otherwise Chromium goes on showing a removed cue while the video is paused.
    track.mode = 'disabled'
    track.mode = 'hidden'
    for (const cue of [...(track.cues ?? [])]) track.removeCue(cue)
    for (const { startSeconds, endSeconds, text } of byStart(latest))
      if (endSeconds > startSeconds) track.addCue(new VTTCue(startSeconds, endSeconds, markupOfEdited(text)))
    track.mode = 'showing'
  }, [place, latest, language])
}

interface VideoPlayerProps {
  place: RefObject<HTMLVideoElement | null>
  title: string
  video: StoreVideo
  language: string
  cues: readonly EditedCue[]
  /** Returns the stream at a new address. */
  onReload: () => Promise<StoreVideo['stream']>
}

/** The video as viewers see it, with the captions as they are edited. */
export function VideoPlayer({ place, title, video, language, cues, onReload }: VideoPlayerProps) {
  const { t } = useLingui()
  const { isEncrypted, width, height } = video
  // A save answers another address, with which the player would begin anew.
  const [stream, setStream] = useState(video.stream)
  const hasFailed = useStream(place, stream)
  useShownCues(place, cues, language)
  if (!stream)
    return (
      <Notice tone="info">
        <Trans>Sign in to the console to play the video.</Trans>
      </Notice>
    )
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: the captions are added as they are edited. */}
      <video
        ref={place}
        className={styles.player}
        style={{ aspectRatio: `${width ?? 16} / ${height ?? 9}` }}
        aria-label={t`Video: ${title}`}
        controls
        playsInline
        preload="metadata"
      />
      {hasFailed && (
        <Notice tone="warning" urgent>
          <p>
            {isEncrypted ? (
              <Trans>
                The video could not be played. It is encrypted: this browser or the licence server may refuse it.
              </Trans>
            ) : (
              <Trans>The video could not be played.</Trans>
            )}
          </p>
          <Button size="s" onClick={() => void onReload().then(setStream)}>
            <Trans>Load it again</Trans>
          </Button>
        </Notice>
      )}
    </>
  )
}
