import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

export interface Roughness {
  /** Bytes a second of all connections together. */
  bytesPerSecond: number
  delayMilliseconds: number
  /** A connection is cut off after so many bytes, more or less. */
  cutAfterBytes: number
  /** One connection in so many stalls instead, and is never cut. */
  silentOneIn: number
  /** Time between outages, in which nothing passes. */
  outageEverySeconds: number
  outageSeconds: number
}

export interface RoughProxy extends AsyncDisposable {
  port: number
  /** Starts the faults; before it, everything passes. Later calls change nothing. */
  begin: () => void
  read: () => { connections: number; cuts: number; silences: number; outages: number; bytes: number }
}

/** Milliseconds between two checks of waiting bytes. */
const beat = 50
/** The longest interval counted when a busy machine delays the timer, in milliseconds. */
const longestBeat = 250

/**
 * A network that is slow, falls silent, cuts connections and goes away: a TCP proxy before a server
 * on loopback. One timer moves all of it, by the time that has gone by since `begin`; which
 * connections are cut or silent is the same in every run.
 */
export async function roughProxy(target: number, rough: Roughness, seed = 7): Promise<RoughProxy> {
  const count = { connections: 0, cuts: 0, silences: 0, outages: 0, bytes: 0 }
  const sockets = new Set<Socket>()
  const flows = new Set<(now: number) => void>()
  let begunAt: number | undefined
  let beatAt = performance.now()
  let budget = 0
  let state = seed
  /** 0 to 1. */
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
  /** The number of outages so far, and whether one is in progress. */
  const outage = (now: number) => {
    if (begunAt === undefined) return { times: 0, away: false }
    const seconds = (now - begunAt) / 1000
    const times = Math.floor(seconds / rough.outageEverySeconds)
    return { times, away: times > 0 && seconds - times * rough.outageEverySeconds < rough.outageSeconds }
  }

  const carry = (from: Socket, to: Socket) => {
    const waiting: { bytes: Buffer; at: number }[] = []
    const limit = rough.cutAfterBytes * (0.5 + random())
    const isSilent = random() < 1 / rough.silentOneIn
    let passed = 0
    let countedSilent = false
    let ended = false
    const flow = (now: number) => {
      for (let next = waiting[0]; next; next = waiting[0]) {
        if (begunAt !== undefined) {
          if (budget <= 0 || next.at > now) return
          if (isSilent && passed > limit / 4) {
            if (!countedSilent) count.silences++
            countedSilent = true
            return
          }
        }
        waiting.shift()
        budget -= next.bytes.length
        passed += next.bytes.length
        count.bytes += next.bytes.length
        to.write(next.bytes)
        if (begunAt !== undefined && passed > limit) {
          count.cuts++
          from.destroy()
          to.destroy()
          return
        }
      }
      if (!ended) return
      flows.delete(flow)
      to.end()
    }
    flows.add(flow)
    from.on('data', (bytes: Buffer) => {
      const at = performance.now() + (begunAt === undefined ? 0 : rough.delayMilliseconds)
      // In pieces, so that a large answer does not use up a second's share in one go.
      for (let start = 0; start < bytes.length; start += 4_096)
        waiting.push({ bytes: bytes.subarray(start, start + 4_096), at })
    })
    // Bytes sent before a regular end still arrive; a broken connection breaks the other side too.
    from.on('end', () => {
      ended = true
    })
    from.on('error', () => {})
    from.on('close', () => {
      if (ended && !to.destroyed) return
      flows.delete(flow)
      to.destroy()
    })
  }

  const server = createServer({ allowHalfOpen: true }, (browser) => {
    if (outage(performance.now()).away) return browser.destroy()
    count.connections++
    const store = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true })
    for (const socket of [browser, store]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    }
    carry(browser, store)
    carry(store, browser)
  })
  const timer = setInterval(() => {
    const now = performance.now()
    const share = (rough.bytesPerSecond * Math.min(now - beatAt, longestBeat)) / 1000
    budget = Math.min(budget + share, rough.bytesPerSecond / 4)
    beatAt = now
    const { times, away } = outage(now)
    if (times > count.outages) {
      count.outages = times
      for (const socket of sockets) socket.destroy()
    }
    if (away) return
    for (const flow of flows) flow(now)
  }, beat)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    port: (server.address() as AddressInfo).port,
    begin: () => {
      if (begunAt !== undefined) return
      begunAt = performance.now()
      budget = 0
    },
    read: () => ({ ...count }),
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
