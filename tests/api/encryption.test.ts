import { expect, test } from 'vitest'
import { decrypt, encrypt } from '#api/platform/crypto.ts'

const text = 'tok_카드_💳'

test('what is encrypted can be opened with its secret alone, and shows nothing', () => {
  const encrypted = encrypt('one secret', text)
  expect(decrypt('one secret', encrypted)).toBe(text)
  expect(encrypted).not.toContain('tok')
  expect(encrypt('one secret', text)).not.toBe(encrypted)
  expect(() => decrypt('another secret', encrypted)).toThrow()
})

test('what was changed, cut or never encrypted cannot be opened', () => {
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
