import { describe, expect, it } from 'vitest'
import { hostIn, isDomain, isHost, isOrigin } from './web-addresses.ts'

describe('web addresses', () => {
  it.each(['http://a.co', 'https://www.example.com', 'https://example.com/path?q=1'])('accept the domain %s', (text) =>
    expect(isDomain(text)).toBe(true),
  )
  it.each(['example.com', 'ftp://example.com', 'https://example.c', 'https://localhost', 'https://a b.com'])(
    'refuse %s as a domain',
    (text) => expect(isDomain(text)).toBe(false),
  )
  it.each([
    'https://한강.kr',
    'https://xn--9n2bp8q.xn--3e0b707e',
    'http://aurora.localhost:3000/path',
    'https://例え.テスト',
  ])('accept the domain %s in its own script', (text) => expect(isDomain(text)).toBe(true))
  it.each([
    'https://example.com:99999',
    'https://10.0.0.1',
    'https://user@example.com',
    'https://-a.com',
    'https://a..com',
  ])('refuse %s as a domain, in its own script', (text) => expect(isDomain(text)).toBe(false))
  it.each(['https://example.com', 'http://localhost:3000', 'http://127.0.0.1:4000', 'https://www.example.co:8443'])(
    'accept the origin %s',
    (text) => expect(isOrigin(text)).toBe(true),
  )
  it.each([
    'https://example.com/',
    'https://example.com/a',
    'https://example.c',
    'https://localhost.',
    'https://10.0.0.1',
    'example.com',
  ])('refuse %s as an origin', (text) => expect(isOrigin(text)).toBe(false))
  it.each(['films.example.com', 'localhost', 'aurora.localhost', 'xn--9n2bp8q.kr'])('accept the host %s', (text) =>
    expect(isHost(text)).toBe(true),
  )
  it.each(['films', 'films.example.c', '10.0.0.1', 'a_b.com', 'films.example.com:80', `${'a.'.repeat(130)}com`])(
    'refuse %s as a host',
    (text) => expect(isHost(text)).toBe(false),
  )
  it.each([
    ['https://films.example.com/path?q#top', 'films.example.com'],
    [' //films.example.com:8443 ', 'films.example.com'],
    ['films.example.com/path', 'films.example.com'],
    ['films.example.com', 'films.example.com'],
    ['ftp://films.example.com', 'ftp://films.example.com'],
    ['me@example.com', 'me@example.com'],
    ['https://me:secret@example.com', 'https://me:secret@example.com'],
  ])('the host in %s is %s', (text, host) => expect(hostIn(text)).toBe(host))
})
