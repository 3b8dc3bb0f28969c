import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { OperatorError } from '#api/platform/log/log.ts'
import { errorCode } from '#contract/safe-error.ts'

interface Address {
  host: string
  port: number
  /** Connections that wait to be accepted. */
  backlog?: number
}

/** What an operator can do where the system refuses an address, by its error code. */
const refusals = ({ host, port }: Address): Record<string, string> => ({
  EADDRINUSE: `Port ${port} on ${host} is in use. Stop the program that uses it, or choose another port, for example PORT=${port + 1}.`,
  EACCES: `Port ${port} is not allowed for this user. Use a port from 1024, for example PORT=3000.`,
  EADDRNOTAVAIL: `The address ${host} is not an address of this machine. Set HOST, for example HOST=127.0.0.1.`,
})

/**
 * Opens the port of a server.
 *
 * @throws OperatorError if the port is in use, reserved or not of this machine
 */
export const openPort = async (server: Server, address: Address): Promise<void> => {
  server.listen(address)
  try {
    await once(server, 'listening')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(
      refusals(address)[errorCode(error) ?? ''] ??
        `The server cannot listen on ${address.host}:${address.port}: ${reason}.`,
    )
  }
}

/** Checks the port before a long start. @throws OperatorError if it is in use */
export const requireFreePort = async ({ host, port }: { host: string; port: number }): Promise<void> => {
  const probe = createServer((socket) => socket.destroy())
  await openPort(probe, { host, port })
  probe.close()
  await once(probe, 'close')
}
