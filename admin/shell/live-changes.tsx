import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type ChangeTopic, changeTopic } from '#contract/admin/changes.ts'
import { customerBase, headers } from '#contract/http.ts'
import { useStoreCode } from '../platform/client'
import { setLive } from '../platform/live-changes'
import { useMay } from '../platform/session'
import { VideoNotices } from './video-notices'

/** What the pages show of each topic, as the beginnings of their queries. */
const queriesOf: Readonly<Record<ChangeTopic, readonly string[]>> = {
  home: ['home'],
  mails: ['mails', 'home'],
  videos: ['video-jobs', 'video-library', 'home'],
  webhooks: ['webhooks', 'home'],
}

/** Milliseconds between attempts to connect, the first and the longest. */
const firstWait = 2_000
const longestWait = 60_000
/** A stream that ends later than so many milliseconds ends as planned. */
const shortest = 10_000

interface ServerEvent {
  name: string
  data: string
}

/** Reads server-sent events as they arrive. */
async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
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
  try {
    if (!navigator.onLine) return 'BROKEN'
    const answer = await fetch(url, {
      headers: { accept: 'text/event-stream', [headers.console]: '1' },
      cache: 'no-store',
      credentials: 'same-origin',
      signal,
    })
    if (answer.status === 401 || answer.status === 403) return 'REFUSED'
    if (!answer.ok || !answer.body) return 'BROKEN'
    for await (const event of readEvents(answer.body)) onEvent(event)
    return performance.now() - begun > shortest ? 'ENDED' : 'BROKEN'
  } catch {
    return 'BROKEN'
  }
}

/**
 * Listens until the signal is aborted, or the session has ended. A stream that ends as planned is
 * opened again at once, and one that breaks with growing delays.
 */
const listen = async (
  url: string,
  signal: AbortSignal,
  { onEvent, onLost }: { onEvent: (event: ServerEvent) => void; onLost: () => void },
) => {
  let wait = firstWait
  while (!signal.aborted) {
    const ending = await readStream(url, signal, (event) => {
      wait = firstWait
      onEvent(event)
    })
    if (ending === 'ENDED') continue
    // One that breaks alone is opened again, and reads everything once more, before anybody asks.
    if (ending === 'REFUSED' || wait > firstWait) onLost()
    if (ending === 'REFUSED') return
    await pause(wait, signal)
    wait = Math.min(wait * 2, longestWait)
  }
}

/**
 * Reads what a page shows again when the API tells that it has changed. A page that nobody sees
 * hears nothing, and is read again when it is seen.
 */
export function LiveChanges() {
  const queryClient = useQueryClient()
  const code = useStoreCode()
  const may = useMay()
  useEffect(() => {
    const readAgain = (topics: readonly ChangeTopic[]) => {
      for (const name of new Set(topics.flatMap((topic) => queriesOf[topic])))
        void queryClient.invalidateQueries({ queryKey: [name] })
    }
    const onEvent = ({ name, data }: ServerEvent) => {
      if (name === 'ready') {
        setLive(true)
        readAgain(changeTopic.options)
      }
      const topic = changeTopic.safeParse(data)
      if (name === 'change' && topic.success) readAgain([topic.data])
    }
    const onLost = () => {
      // Queries decide with their next answer whether they ask again.
      if (setLive(false)) readAgain(changeTopic.options)
    }
    let open: AbortController | null = null
    const follow = () => {
      open?.abort()
      open = null
      if (document.visibilityState !== 'visible') return
      open = new AbortController()
      void listen(`${location.origin}${customerBase(code)}/admin/changes`, open.signal, { onEvent, onLost })
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      open?.abort()
    }
  }, [queryClient, code])
  return may('videos:read') && <VideoNotices />
}
