import { headers } from '#contract/http.ts'

/** Milliseconds between attempts to connect, the first and the longest. */
const firstWait = 2_000
const longestWait = 60_000
/** A stream that ends later than so many milliseconds ends as planned. */
const shortest = 10_000

/** The server sends a byte every 20 seconds. A stream without one for so long is dead. */
const longestSilence = 60_000

export interface ServerEvent {
  name: string
  data: string
}

/** Reads server-sent events as they arrive. `onPart` is called with each part of the answer. */
async function* readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onPart: () => void,
): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onPart()
    const blocks = (text + value).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => [line.split(': ')[0], line.slice(line.indexOf(': ') + 2)]))
      const name = fields.get('event')
      if (name) yield { name, data: fields.get('data') ?? '' }
    }
  }
}

/** Waits for a time, or for one of the events. */
const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    window.addEventListener('online', end)
    signal.addEventListener('abort', end)
  })

/** Reads one stream to its end. Returns how it ended. */
const readStream = async (url: string, signal: AbortSignal, onEvent: (event: ServerEvent) => void) => {
  const begun = performance.now()
  const silence = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const onPart = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), longestSilence)
  }
  try {
    if (!navigator.onLine) return 'BROKEN'
    onPart()
    const answer = await fetch(url, {
      headers: { accept: 'text/event-stream', [headers.console]: '1' },
      cache: 'no-store',
      credentials: 'same-origin',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (answer.status === 401 || answer.status === 403) return 'REFUSED'
    if (!answer.ok || !answer.body) return 'BROKEN'
    for await (const event of readEvents(answer.body, onPart)) onEvent(event)
    return performance.now() - begun > shortest ? 'ENDED' : 'BROKEN'
  } catch {
    return silence.signal.aborted ? 'SILENT' : 'BROKEN'
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Reads streams of changes until the signal is aborted, or the session has ended. A stream that
 * ends as planned is opened again at once, and one that breaks with growing delays. `onLost` is
 * called when changes are not sent for now, also after the event `lost`: that follows a failure of
 * the service, or too many streams of this person, so that the next attempt waits the longest.
 */
export const followChanges = async (
  url: string,
  signal: AbortSignal,
  { onEvent, onLost }: { onEvent: (event: ServerEvent) => void; onLost: () => void },
): Promise<void> => {
  let wait = firstWait
  while (!signal.aborted) {
    const ending = await readStream(url, signal, (event) => {
      wait = event.name === 'lost' ? longestWait : firstWait
      if (event.name === 'lost') onLost()
      else onEvent(event)
    })
    if (signal.aborted) return
    if (ending === 'ENDED' && wait < longestWait) continue
    // One that breaks alone is opened again, and reads everything once more, before anybody asks.
    if (ending === 'REFUSED' || ending === 'SILENT' || wait > firstWait) onLost()
    if (ending === 'REFUSED') return
    await pause(wait, signal)
    wait = Math.min(wait * 2, longestWait)
  }
}

/**
 * Calls `run` with a name at once, and then at most once in `every(name)` milliseconds: what comes
 * in between is one call at their end.
 */
export const createThrottle = <Name extends string>(run: (name: Name) => void, every: (name: Name) => number) => {
  const waiting = new Map<Name, { timer: ReturnType<typeof setTimeout>; isDue: boolean }>()
  const call = (name: Name): void => {
    const current = waiting.get(name)
    if (current) {
      current.isDue = true
      return
    }
    const end = () => {
      const isDue = waiting.get(name)?.isDue
      waiting.delete(name)
      if (isDue) call(name)
    }
    waiting.set(name, { timer: setTimeout(end, every(name)), isDue: false })
    run(name)
  }
  const stop = () => {
    for (const { timer } of waiting.values()) clearTimeout(timer)
    waiting.clear()
  }
  return { call, stop }
}
