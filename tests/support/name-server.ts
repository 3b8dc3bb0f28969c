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

/** The records of a name: IPv4 addresses, and texts. */
interface Records {
  addresses?: readonly string[]
  texts?: readonly string[]
}

const recordTypes = { addresses: addressType, texts: 16 } as const

const nameIn = (query: Buffer) => {
  const labels: string[] = []
  for (let at = 12; query[at]; at += query.readUInt8(at) + 1)
    labels.push(query.subarray(at + 1, at + 1 + query.readUInt8(at)).toString())
  return labels.join('.').toLowerCase()
}

const resourceRecord = (type: number, data: Buffer) => {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

/** Texts are sent in parts of at most 255 bytes. */
const textData = (text: string) =>
  Buffer.concat(
    (text.match(/.{1,255}/g) ?? ['']).map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])),
  )

const answerFrom = (query: Buffer, records: Records | undefined) => {
  const end = query.indexOf(0, 12) + 5
  const type = query.readUInt16BE(end - 4)
  const data = [
    ...(type === recordTypes.addresses
      ? (records?.addresses ?? []).map((each) => Buffer.from(each.split('.').map(Number)))
      : []),
    ...(type === recordTypes.texts ? (records?.texts ?? []).map(textData) : []),
  ]
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(records ? 0x8180 : 0x8183, 2)
  header.writeUInt16BE(data.length, 6)
  header.writeUInt32BE(0, 8)
  return Buffer.concat([header, query.subarray(12, end), ...data.map((each) => resourceRecord(type, each))])
}

interface ZoneServer extends AsyncDisposable {
  /** Its address with the port, as in NAME_SERVERS. */
  address: string
  /** Sets the records of a name. Other names do not exist. */
  set: (name: string, records: Records) => void
  /** While it is silent, no question is answered. */
  setSilent: (isSilent: boolean) => void
}

/** A name server of the test's own on a free port, with the records that the test sets. */
export const startZoneServer = async (port = 0): Promise<ZoneServer> => {
  const records = new Map<string, Records>()
  let isSilent = false
  const socket = createSocket('udp4', (query, { address: client, port: clientPort }) => {
    if (!isSilent) socket.send(answerFrom(query, records.get(nameIn(query))), clientPort, client)
  })
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    set: (name, given) => records.set(name, given),
    setSilent: (given) => {
      isSilent = given
    },
    [Symbol.asyncDispose]: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}
