export interface Cue {
  startSeconds: number
  endSeconds: number
  text: string
}

/** Plain text, by the browser's own reader: marks such as <i> and <v Name> are left out, `&amp;` is the sign it stands for. */
export const plainText = (cue: TextTrackCue): string =>
  'getCueAsHTML' in cue ? ((cue as VTTCue).getCueAsHTML().textContent ?? '') : ''

/** Reads a WebVTT file by the browser's own reader, in an element apart from the one that plays. */
export function readCues(url: string, signal: AbortSignal): Promise<Cue[]> {
  return new Promise((resolve, reject) => {
    const video = document.createElement('video')
    const element = document.createElement('track')
    const settle = (then: () => void) => () => {
      element.remove()
      if (!signal.aborted) then()
    }
    element.addEventListener(
      'load',
      settle(() =>
        resolve(
          Array.from(element.track.cues ?? []).map((cue) => ({
            startSeconds: cue.startTime,
            endSeconds: cue.endTime,
            text: plainText(cue),
          })),
        ),
      ),
    )
    element.addEventListener(
      'error',
      settle(() => reject(new Error(`No captions could be read from ${url}.`))),
    )
    signal.addEventListener('abort', () => element.remove())
    element.kind = 'metadata'
    element.src = url
    video.append(element)
    element.track.mode = 'hidden'
  })
}
