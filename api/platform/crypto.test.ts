import { expect, test } from 'vitest'
import { decrypt, encrypt, hashPassword, packUuids, unpackUuids, verifyPassword } from '#api/platform/crypto.ts'

const text = 'tok_카드_💳'

test('encrypted text is decrypted with its secret alone, and reveals nothing of the text', () => {
  const encrypted = encrypt('one secret', text)
  expect(decrypt('one secret', encrypted)).toBe(text)
  expect(encrypted).not.toContain('tok')
  expect(encrypt('one secret', text)).not.toBe(encrypted)
  expect(() => decrypt('another secret', encrypted)).toThrow()
})

test('changed, cut or unencrypted text cannot be decrypted', () => {
  const [mark, nonce, tag, body = ''] = encrypt('one secret', text).split('.')
  const other = body.startsWith('A') ? `B${body.slice(1)}` : `A${body.slice(1)}`
  for (const broken of [
    [mark, nonce, tag, other],
    [mark, nonce, tag?.slice(0, 6), body],
    [mark, nonce, tag],
    [mark],
    ['v0', nonce, tag, body],
    [''],
  ])
    expect(() => decrypt('one secret', broken.join('.')), broken.join('.')).toThrow()
})

test('packed ids have 16 bytes each and keep their order', () => {
  const ids = ['0199aa00-0000-7000-8000-000000000001', '00000000-0000-0000-0000-000000000000']
  const packed = packUuids(ids)
  expect(Buffer.from(packed, 'base64url')).toHaveLength(32)
  expect(unpackUuids(packed)).toEqual(ids)
  expect(unpackUuids(packed.slice(0, -4))).toEqual(ids.slice(0, 1))
  expect(unpackUuids('')).toEqual([])
})

test('a hash made by the first release verifies its password', async () => {
  const made = '$argon2id$v=19$m=19456,t=2,p=1$BwcHBwcHBwcHBwcHBwcHBw$cTLmpgKLeruU6za+t2cUZ3fNfHVCYhGoJ8inpcUNcwc'
  expect(await verifyPassword('correct horse', made)).toBe(true)
  expect(await verifyPassword('correct horsf', made)).toBe(false)
})

test('a password verifies in either Unicode form', async () => {
  const hash = await hashPassword('caf\u00e9 \uac15'.normalize('NFC'))
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword('caf\u00e9 \uac15'.normalize('NFD'), hash)).toBe(true)
})

test('no password verifies for a member without a hash', async () => {
  expect(await verifyPassword('correct horse', null)).toBe(false)
})
