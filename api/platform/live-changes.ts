import type { Logger } from 'pino'
import { changesChannel, listen } from '#api/platform/db/connections.ts'
import { type ChangeTopic, changeTopic } from '#contract/admin/changes.ts'
import { type CustomerId, customerId } from '#contract/ids.ts'

/** Streams of changes to the consoles that are open. */
export interface LiveChanges extends AsyncDisposable {
  /** Returns server-sent events of a tenant. They end after `seconds`. */
  open: (
    customerId: CustomerId,
    options: { topics: ReadonlySet<ChangeTopic>; seconds: number },
  ) => ReadableStream<Uint8Array>
  /** Ends all streams, and each new one at once: the process stops. */
  end: () => void
}

/** Milliseconds in which changes of the same topic are sent as one. */
const collectedFor = 200
/** Milliseconds between lines that keep proxies from closing a silent connection. */
const heartbeatEvery = 20_000
/** Chunks that a caller may leave unread until its stream ends. */
const longestBacklog = 100

interface Listener {
  topics: ReadonlySet<ChangeTopic>
  tell: (topic: ChangeTopic) => void
  /** Some changes may have been missed. */
  begin: () => void
  end: () => void
}

const encoder = new TextEncoder()

/** Writes one stream. `onEnd` is called once, when it has ended. */
const createStream = (
  { topics, seconds }: { topics: ReadonlySet<ChangeTopic>; seconds: number },
  onEnd: (listener: Listener) => void,
): { listener: Listener; body: ReadableStream<Uint8Array> } => {
  const waiting = new Set<ChangeTopic>()
  let flushing: NodeJS.Timeout | undefined
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null
  const body = new ReadableStream<Uint8Array>(
    {
      start: (opened) => {
        controller = opened
      },
      cancel: () => stop(),
    },
    { highWaterMark: longestBacklog },
  )
  const stop = () => {
    clearTimeout(flushing)
    clearInterval(heartbeat)
    clearTimeout(lifetime)
    controller = null
    onEnd(listener)
  }
  const end = () => {
    controller?.close()
    stop()
  }
  const write = (text: string) => {
    if (!controller) return
    if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(text))
    else end()
  }
  const flush = () => {
    flushing = undefined
    write([...waiting].map((topic) => `event: change\ndata: ${topic}\n\n`).join(''))
    waiting.clear()
  }
  const listener: Listener = {
    topics,
    tell: (topic) => {
      waiting.add(topic)
      flushing ??= setTimeout(flush, collectedFor)
    },
    begin: () => write('event: ready\ndata:\n\n'),
    end,
  }
  const heartbeat = setInterval(() => write(':\n\n'), heartbeatEvery)
  const lifetime = setTimeout(end, seconds * 1_000)
  for (const timer of [heartbeat, lifetime]) timer.unref()
  // The header is sent with the first byte.
  write(':\n\n')
  return { listener, body }
}

/**
 * Sends what `announceChange` announces in any process to the open streams of this one. The
 * connection that listens is opened with the first stream.
 */
export const createLiveChanges = (deps: { jobsDatabaseUrl: string; log: Logger }): LiveChanges => {
  const open = new Map<CustomerId, Set<Listener>>()
  let connection: ReturnType<typeof listen> | null = null
  let isEnded = false
  const listeners = () => [...open.values()].flatMap((ofTenant) => [...ofTenant])
  const onNotification = (payload: string) => {
    const [id, name] = payload.split(' ')
    const tenant = customerId.safeParse(id).data
    const topic = changeTopic.safeParse(name).data
    if (!tenant || !topic) return
    for (const listener of open.get(tenant) ?? []) if (listener.topics.has(topic)) listener.tell(topic)
  }
  const connect = () =>
    listen(
      deps,
      {
        channel: changesChannel,
        name: 'marquee-changes',
        onReady: () => {
          for (const listener of listeners()) listener.begin()
        },
      },
      onNotification,
    )
  const end = () => {
    isEnded = true
    for (const listener of listeners()) listener.end()
  }
  return {
    open: (tenant, options) => {
      const { listener, body } = createStream(options, (ended) => {
        const ofTenant = open.get(tenant)
        ofTenant?.delete(ended)
        if (ofTenant?.size === 0) open.delete(tenant)
      })
      if (isEnded) {
        listener.end()
        return body
      }
      open.set(tenant, (open.get(tenant) ?? new Set()).add(listener))
      if (connection) void connection.ready.then(listener.begin)
      else connection = connect()
      return body
    },
    end,
    [Symbol.asyncDispose]: async () => {
      end()
      await connection?.[Symbol.asyncDispose]()
    },
  }
}
