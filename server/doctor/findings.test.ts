import { expect, test } from 'vitest'
import { judgeCertificate } from './certificates.ts'
import { judgeClock } from './database.ts'
import { judgeDisk, judgeLookup } from './services.ts'

const now = new Date('2026-11-24T12:00:00Z')
const until = (day: string, refusal: string | null = null) =>
  judgeCertificate('films.example.com', { code: 'PRESENTED', validTo: new Date(day), refusal }, now)

test('a certificate is judged by its end, its host and whether the host answers', () => {
  expect(until('2027-02-01')).toMatchObject({ state: 'OK', text: 'films.example.com until 2027-02-01' })
  expect(until('2026-12-02')).toMatchObject({
    state: 'ADVISED',
    text: expect.stringMatching(/ends on 2026-12-02. Renew it/),
  })
  expect(until('2026-11-20', 'CERT_HAS_EXPIRED')).toMatchObject({
    state: 'WRONG',
    text: expect.stringMatching(/expired on 2026-11-20/),
  })
  expect(until('2027-02-01', 'ERR_TLS_CERT_ALTNAME_INVALID')).toMatchObject({
    state: 'WRONG',
    text: expect.stringMatching(/^Browsers refuse the certificate of films.example.com/),
  })
  const silent = judgeCertificate('films.example.com', { code: 'UNREACHABLE', reason: 'ENOTFOUND' }, now)
  expect(silent).toMatchObject({
    state: 'WRONG',
    text: expect.stringMatching(/\(ENOTFOUND\). Point its DNS at the proxy/),
  })
})

test('a clock may differ by two seconds', () => {
  expect(judgeClock(-1_900).state).toBe('OK')
  expect(judgeClock(61_000)).toMatchObject({
    state: 'WRONG',
    text: expect.stringMatching(/61 seconds ahead of the database/),
  })
  expect(judgeClock(-61_000).text).toContain('61 seconds behind')
})

test('a disk is wrong below a gigabyte and advised below a tenth', () => {
  const states = [0.9e9, 5e9, 50e9].map((free) => judgeDisk('/data', free, 100e9).state)
  expect(states).toEqual(['WRONG', 'ADVISED', 'OK'])
})

test('a host that is not found is wrong, and one that is found slowly is advised', () => {
  const judged = (seconds: number, failure: string | null) =>
    judgeLookup('db.example.com', 'DATABASE_URL', { seconds, failure })
  expect(judged(0.02, null)).toMatchObject({ state: 'OK', text: 'db.example.com was found in 20 ms' })
  expect(judged(5.2, null)).toMatchObject({
    state: 'ADVISED',
    text: 'Finding db.example.com of DATABASE_URL took 5.2 seconds. Check the DNS servers.',
  })
  expect(judged(0.1, 'ENOTFOUND')).toMatchObject({
    state: 'WRONG',
    text: expect.stringMatching(/^The host db.example.com of DATABASE_URL cannot be found \(ENOTFOUND\)/),
  })
})
