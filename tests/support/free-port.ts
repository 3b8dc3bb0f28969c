import { createServer } from 'node:net'

/** Listens on the port until the result is disposed of; `0` means any free port. */
const occupy = (wanted: number) =>
  new Promise<AsyncDisposable & { port: number }>((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(wanted, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      resolve({ port, [Symbol.asyncDispose]: () => new Promise((closed) => probe.close(() => closed())) })
    })
  })

export const freePort = async (): Promise<number> => {
  await using probe = await occupy(0)
  return probe.port
}

/** A free port whose successor is free too. */
export const freePortPair = async (attempts = 20): Promise<number> => {
  await using first = await occupy(0)
  try {
    await using _second = await occupy(first.port + 1)
    return first.port
  } catch (error) {
    if (attempts <= 1) throw error
    return await freePortPair(attempts - 1)
  }
}
