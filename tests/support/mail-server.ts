import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

interface ReceivedMail {
  from: string
  to: string[]
  /** The bytes received, as latin1. */
  raw: string
  headers: Record<string, string>
  text: string
  html: string
}

/** Answers to the next recipients, in order. All later ones are accepted. */
type Refusal = { code: number; message: string } | null

interface MailServerOptions {
  /** Who may send. Left out, the server asks for no sign-in. */
  account?: { username: string; password: string }
  /** Encrypts from the beginning, with a certificate that nobody knows. */
  hasTls?: boolean
}

/** A real mail server on a free port. */
export const startMailServer = async (refusals: Refusal[] = [], { account, hasTls }: MailServerOptions = {}) => {
  const received: ReceivedMail[] = []
  let connections = 0
  const server = new SMTPServer({
    disabledCommands: account ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    secure: hasTls ?? false,
    allowInsecureAuth: true,
    onConnect: (_, done) => {
      connections++
      done()
    },
    onAuth: ({ username, password }, _, done) => {
      const isKnown = username === account?.username && password === account?.password
      if (isKnown) done(null, { user: username })
      else done(Object.assign(new Error('5.7.8 Wrong user name or password'), { responseCode: 535 }))
    },
    onRcptTo: (_, __, done) => {
      const refusal = refusals.shift()
      done(refusal ? Object.assign(new Error(refusal.message), { responseCode: refusal.code }) : null)
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          ...read(Buffer.concat(chunks).toString('latin1')),
        })
        done()
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received,
    connections: () => connections,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

const read = (raw: string) => {
  const top = part(raw)
  const boundary = /boundary="?([^";\r\n]+)"?/i.exec(top.headers['content-type'] ?? '')?.[1]
  const parts = boundary ? top.body.split(`--${boundary}`).slice(1, -1).map(part) : [top]
  const bodyOf = (type: string) => parts.find(({ headers }) => headers['content-type']?.startsWith(type))?.decoded ?? ''
  return { raw, headers: top.headers, text: bodyOf('text/plain'), html: bodyOf('text/html') }
}

const part = (source: string) => {
  const [head = '', ...rest] = source.replace(/^\r\n/, '').split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  const headers: Record<string, string> = {}
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [name = '', ...value] = line.split(':')
    headers[name.toLowerCase()] = decodeHeader(value.join(':').trim())
  }
  const encoding = headers['content-transfer-encoding'] ?? '7bit'
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : Buffer.from(encoding === 'quoted-printable' ? quotedPrintable(body.replace(/=\r\n/g, '')) : body, 'latin1')
  return { headers, body, decoded: bytes.toString('utf8').replaceAll('\r\n', '\n') }
}

const quotedPrintable = (text: string) =>
  text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Encoded words of a header (RFC 2047). */
const decodeHeader = (value: string) =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      (kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64')
        : Buffer.from(quotedPrintable(text.replaceAll('_', ' ')), 'latin1')
      ).toString('utf8'),
    )
