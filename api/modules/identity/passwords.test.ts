import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './passwords.ts'

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
