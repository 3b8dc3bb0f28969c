import { createServer } from 'node:net'

/** Listens on the port until the result is disposed of. */
const occupy = (port: number) =>
  new Promise<AsyncDisposable>((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(port, '127.0.0.1', () =>
      resolve({ [Symbol.asyncDispose]: () => new Promise((closed) => probe.close(() => closed())) }),
    )
  })

/**
 * Below the ports that systems give to outgoing connections: such a connection could take the port
 * of a server while it restarts, and keep it for a minute after its end.
 */
const [lowest, highest] = [20_000, 32_000]

/** The first of some ports in a row that nothing listens at. */
const freePorts = async (count: number, attempts = 50): Promise<number> => {
  const first = lowest + Math.floor(Math.random() * (highest - lowest - count))
  await using occupied = new AsyncDisposableStack()
  try {
    for (let at = 0; at < count; at++) occupied.use(await occupy(first + at))
    return first
  } catch (error) {
    if (attempts <= 1) throw error
  }
  return await freePorts(count, attempts - 1)
}

export const freePort = (): Promise<number> => freePorts(1)

/** A free port whose successor is free too. */
export const freePortPair = (): Promise<number> => freePorts(2)
