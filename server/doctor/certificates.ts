import { connect } from 'node:tls'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { errorCode } from '#contract/safe-error.ts'
import { advised, type Finding, ok, wrong } from './finding.ts'

/** Days before its end from which a certificate should be renewed: authorities renew at thirty. */
const renewDays = 14
/** Milliseconds. */
const timeout = 5_000

/** What a host presents on port 443. */
export type Presented =
  | { code: 'UNREACHABLE'; reason: string }
  | { code: 'PRESENTED'; validTo: Date; refusal: string | null }

const subject = 'Certificates'
const day = (time: Date) => time.toISOString().slice(0, 10)

/** Returns the finding about the certificate of a host. */
export const judgeCertificate = (host: string, presented: Presented, now: Date): Finding => {
  if (presented.code === 'UNREACHABLE')
    return wrong(
      subject,
      `${host} does not answer on port 443 (${presented.reason}). Point its DNS at the proxy, and let the proxy listen there.`,
    )
  const { validTo, refusal } = presented
  if (validTo <= now) return wrong(subject, `The certificate of ${host} expired on ${day(validTo)}. Renew it.`)
  if (refusal)
    return wrong(subject, `Browsers refuse the certificate of ${host} (${refusal}). Install one that names this host.`)
  if (validTo.getTime() - now.getTime() < renewDays * dayMilliseconds)
    return advised(subject, `The certificate of ${host} ends on ${day(validTo)}. Renew it.`)
  return ok(subject, `${host} until ${day(validTo)}`)
}

const present = (host: string): Promise<Presented> =>
  new Promise((resolve) => {
    const unreachable = (reason: string) => {
      socket.destroy()
      resolve({ code: 'UNREACHABLE', reason })
    }
    const socket = connect({ host, port: 443, servername: host, rejectUnauthorized: false, timeout }, () => {
      const { valid_to: validTo } = socket.getPeerCertificate()
      // Node states the reason as a code, although its type says Error.
      const refusal = socket.authorized ? null : String(socket.authorizationError)
      socket.end()
      resolve({ code: 'PRESENTED', validTo: new Date(validTo), refusal })
    })
    socket.once('timeout', () => unreachable('no answer within five seconds'))
    socket.once('error', (error) => unreachable(String(errorCode(error) ?? error.message)))
  })

/** Checks the certificates of hosts, as a browser sees them. */
export const examineCertificates = async (hosts: readonly string[]): Promise<Finding[]> => {
  const findings: Finding[] = []
  // A large installation has thousands of hosts.
  for (let at = 0; at < hosts.length; at += 16)
    findings.push(
      ...(await Promise.all(
        hosts.slice(at, at + 16).map(async (host) => judgeCertificate(host, await present(host), new Date())),
      )),
    )
  return findings
}
