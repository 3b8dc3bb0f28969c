import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** `well`: answers each name with 127.0.0.1. `silent`: never answers. `failing`: SERVFAIL. */
type Behaviour = 'well' | 'silent' | 'failing'

interface NameServer extends AsyncDisposable {
  behave: (behaviour: Behaviour) => void
  /** A command with its arguments, for which this server is the system's resolver. */
  command: (program: string, args: readonly string[]) => [string, string[]]
}

const port = 53
const addressType = 1

/** An answer to a query of one name: for type A 127.0.0.1, for other types none. */
const answerTo = (query: Buffer, isFailing: boolean) => {
  const end = query.indexOf(0, 12) + 5
  const question = query.subarray(12, end)
  const hasAddress = !isFailing && query.readUInt16BE(end - 4) === addressType
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(isFailing ? 0x8182 : 0x8180, 2)
  header.writeUInt16BE(Number(hasAddress), 6)
  header.writeUInt32BE(0, 8)
  // The name by its place in the question, type A, class IN, one second, four bytes.
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 127, 0, 0, 1])
  return Buffer.concat(hasAddress ? [header, question, record] : [header, question])
}

/**
 * A name server of the test's own. Programs use it in a mount namespace with a resolv.conf of its
 * own; null where that needs rights that the tests do not have.
 *
 * @param folder Where the file is written
 */
export const startNameServer = async (folder: string): Promise<NameServer | null> => {
  const address = `127.0.53.${1 + Math.floor(Math.random() * 250)}`
  const file = join(folder, 'resolv.conf')
  writeFileSync(file, `nameserver ${address}\n`)
  const command: NameServer['command'] = (program, args) => [
    '/usr/bin/unshare',
    ['--mount', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"', file, program, ...args],
  ]
  try {
    const [unshare, args] = command('true', [])
    execFileSync(unshare, args, { stdio: 'ignore' })
  } catch {
    return null
  }
  let behaviour: Behaviour = 'well'
  const socket = createSocket('udp4', (query, { address: client, port: clientPort }) => {
    if (behaviour !== 'silent') socket.send(answerTo(query, behaviour === 'failing'), clientPort, client)
  })
  socket.bind(port, address)
  await once(socket, 'listening')
  return {
    behave: (next) => {
      behaviour = next
    },
    command,
    [Symbol.asyncDispose]: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}
