import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

export interface Roughness {
  /** Bytes a second of all connections together. */
  bytesPerSecond: number
  delayMilliseconds: number
  /** A connection is cut off after so many bytes, more or less. */
  cutAfterBytes: number
  /** One connection in so many falls silent instead, and is never cut. */
  silentOneIn: number
  /** Every so often nothing comes through at all, for a while. */
  outageEverySeconds: number
  outageSeconds: number
}

export interface RoughProxy extends AsyncDisposable {
  port: number
  /** From now on the way is rough; before that everything passes. */
  begin: () => void
  read: () => { connections: number; cuts: number; silences: number; outages: number; bytes: number }
}

const tick = 50

/** A network that is slow, falls silent, cuts connections and goes away: a TCP proxy before a server on loopback. */
export async function roughProxy(target: number, rough: Roughness, seed = 7): Promise<RoughProxy> {
  const count = { connections: 0, cuts: 0, silences: 0, outages: 0, bytes: 0 }
  const sockets = new Set<Socket>()
  let begun = false
  let outUntil = 0
  let budget = 0
  let state = seed
  /** 0 to 1, the same in every run. */
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }

  const pump = (from: Socket, to: Socket) => {
    const waiting: { bytes: Buffer; at: number }[] = []
    let passed = 0
    const limit = rough.cutAfterBytes * (0.5 + random())
    const silent = random() < 1 / rough.silentOneIn
    let saidSilent = false
    const flow = setInterval(() => {
      while (waiting.length > 0) {
        if (begun && (budget <= 0 || Date.now() < outUntil || waiting[0]!.at > Date.now())) return
        if (begun && silent && passed > limit / 4) {
          if (!saidSilent) count.silences++
          saidSilent = true
          return
        }
        const next = waiting.shift()!
        budget -= next.bytes.length
        passed += next.bytes.length
        count.bytes += next.bytes.length
        to.write(next.bytes)
        if (begun && passed > limit) {
          count.cuts++
          from.destroy()
          to.destroy()
          return
        }
      }
      if (from.readableEnded) to.end()
    }, tick)
    from.on('data', (bytes: Buffer) => {
      // In pieces, so that a large answer does not use up a second's share in one go.
      for (let at = 0; at < bytes.length; at += 4_096)
        waiting.push({ bytes: bytes.subarray(at, at + 4_096), at: begun ? Date.now() + rough.delayMilliseconds : 0 })
    })
    from.on('error', () => to.destroy())
    from.on('close', () => {
      clearInterval(flow)
      if (waiting.length === 0) to.end()
      else to.destroy()
    })
  }

  const server = createServer((browser) => {
    if (begun && Date.now() < outUntil) return browser.destroy()
    count.connections++
    const store = connect(target, '127.0.0.1')
    for (const socket of [browser, store]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    }
    pump(browser, store)
    pump(store, browser)
  })
  const refill = setInterval(() => {
    budget = Math.min(budget + (rough.bytesPerSecond * tick) / 1000, rough.bytesPerSecond / 4)
  }, tick)
  let outages: ReturnType<typeof setInterval> | undefined
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    port: (server.address() as AddressInfo).port,
    begin: () => {
      begun = true
      budget = 0
      outages = setInterval(() => {
        count.outages++
        outUntil = Date.now() + rough.outageSeconds * 1000
        for (const socket of sockets) socket.destroy()
      }, rough.outageEverySeconds * 1000)
    },
    read: () => ({ ...count }),
    [Symbol.asyncDispose]: async () => {
      clearInterval(refill)
      clearInterval(outages)
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
