import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** Encodes the few kinds of CBOR that an authenticator writes. */
const cbor = (value: number | string | Buffer | Map<number | string, unknown>): Buffer => {
  const head = (kind: number, size: number) => {
    if (size < 24) return Buffer.from([(kind << 5) | size])
    if (size < 256) return Buffer.from([(kind << 5) | 24, size])
    return Buffer.from([(kind << 5) | 25, size >> 8, size & 255])
  }
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = Array.from(value).flatMap(([key, each]) => [cbor(key), cbor(each as never)])
  return Buffer.concat([head(5, value.size), ...entries])
}

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest()
const flags = { present: 1, verified: 4, hasCredential: 64 }

interface PasskeyOptions {
  /** The origin of the page that asks. */
  origin: string
  /** Whether the authenticator verifies the person, as by a fingerprint. */
  verifies?: boolean
}

/** An authenticator with one passkey, and the browser that speaks with it. */
export const createPasskey = ({ origin, verifies = true }: PasskeyOptions) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  let counter = 0
  const identity = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' as const }
  const clientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  const authenticatorData = (host: string, more: number) => {
    const rest = Buffer.alloc(5)
    rest[0] = flags.present | (verifies ? flags.verified : 0) | more
    rest.writeUInt32BE(++counter, 1)
    return Buffer.concat([sha256(host), rest])
  }
  return {
    /** What `navigator.credentials.create` returns. */
    create: ({ challenge, rp }: { challenge: string; rp: { id: string } }) => {
      const key = new Map<number, number | Buffer>([
        ...([
          [1, 2],
          [3, -7],
          [-1, 1],
        ] as const),
        ...([
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ] as const),
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const authData = Buffer.concat([
        authenticatorData(rp.id, flags.hasCredential),
        ...[Buffer.alloc(16), length, id, cbor(key)],
      ])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      const response = {
        clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
      }
      return { ...identity, response }
    },
    /** What `navigator.credentials.get` returns. `from`: the origin that asks, if not its own. */
    get: ({ challenge, rpId }: { challenge: string; rpId: string }, { from = origin } = {}) => {
      const client = clientData('webauthn.get', challenge, from)
      const data = authenticatorData(rpId, 0)
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
      }
      return { ...identity, response }
    },
  }
}
