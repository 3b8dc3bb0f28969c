import type { Logger } from 'pino'
import { changesChannel, listen } from '#api/platform/db/connections.ts'
import { type ChangeTopic, changeTopic } from '#contract/admin/changes.ts'
import { type CustomerId, customerId, type OperatorTokenId, type StaffId } from '#contract/ids.ts'

/** Streams of changes to the consoles that are open. */
export interface LiveChanges extends AsyncDisposable {
  /**
   * Returns server-sent events of a tenant. They end after `seconds`, or when the same operator
   * opens more than ten streams later. Null if the tenant has too many streams already.
   */
  open: (customerId: CustomerId, options: StreamOptions) => ReadableStream<Uint8Array> | null
  /** Ends all streams, and each new one at once: the process stops. */
  end: () => void
}

interface StreamOptions {
  operator: StaffId | OperatorTokenId
  topics: ReadonlySet<ChangeTopic>
  seconds: number
}

/** Open streams of one operator and of one tenant, in this process. */
const maxOfOperator = 10
const maxOfTenant = 200
/** Milliseconds in which changes of the same topic are sent as one. */
const collectedFor = 200
/** Milliseconds between lines that keep proxies from closing a silent connection. */
const heartbeatEvery = 20_000
/** Chunks that a caller may leave unread until its stream ends. */
const longestBacklog = 100

interface Listener extends Pick<StreamOptions, 'operator' | 'topics'> {
  notify: (topic: ChangeTopic) => void
  /** Changes are sent from now on. Some may have been missed. */
  begin: () => void
  /** No changes are sent from now on, until it begins again. */
  lose: () => void
  end: () => void
}

const encoder = new TextEncoder()

/** Writes one stream. `onEnd` is called once, when it has ended. */
const createStream = (
  { operator, topics, seconds }: StreamOptions,
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
    operator,
    topics,
    notify: (topic) => {
      waiting.add(topic)
      flushing ??= setTimeout(flush, collectedFor)
    },
    begin: () => write('event: ready\ndata:\n\n'),
    lose: () => write('event: lost\ndata:\n\n'),
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
    for (const listener of open.get(tenant) ?? []) if (listener.topics.has(topic)) listener.notify(topic)
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
        onLost: () => {
          for (const listener of listeners()) listener.lose()
        },
      },
      onNotification,
    )
  const end = () => {
    isEnded = true
    for (const listener of listeners()) listener.end()
  }
  const endOldestOf = (ofTenant: ReadonlySet<Listener>, operator: StreamOptions['operator']) => {
    // A set keeps the order in which the streams were opened.
    const own = [...ofTenant].filter((listener) => listener.operator === operator)
    for (const listener of own.slice(0, Math.max(0, own.length - maxOfOperator + 1))) {
      listener.lose()
      listener.end()
    }
  }
  return {
    open: (tenant, options) => {
      const before = open.get(tenant)
      if (before) endOldestOf(before, options.operator)
      if (before && before.size >= maxOfTenant) return null
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
      connection ??= connect()
      if (connection.isListening()) listener.begin()
      return body
    },
    end,
    [Symbol.asyncDispose]: async () => {
      end()
      await connection?.[Symbol.asyncDispose]()
    },
  }
}
