import { expect, test } from 'vitest'
import { firstStorePath } from '#api/modules/admin/first-store.ts'
import { listStores } from '#api/modules/tenancy/store-states.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi({ database: await ownDatabase() })
const { deps } = api
const key = new URL(firstStorePath(deps.secret), api.origin).searchParams.get('key')!

const open = (origin = 'http://films.localhost:3000', given = key, headers = {}) =>
  api.fetch(new Request(`${origin}/admin/set-up?key=${given}`, { headers }))
const acme = {
  key,
  name: 'Acme Films',
  code: 'acme',
  locale: 'ko',
  currency: 'KRW',
  timeZone: 'Asia/Seoul',
  email: 'mina@example.com',
}
const send = (fields: Record<string, string>) =>
  api.fetch(
    new Request('http://films.localhost:3000/admin/set-up', { method: 'POST', body: new URLSearchParams(fields) }),
  )

test('the page needs the key, and the address at which visitors will find the store', async () => {
  expect((await open(undefined, 'another')).status).toBe(404)
  expect((await open(undefined, '')).status).toBe(404)
  expect((await send({ ...acme, key: 'ä'.repeat(key.length) })).status).toBe(404)
  expect((await open('http://127.0.0.1:3000')).status).toBe(400)
  const page = await open(undefined, key, { 'accept-language': 'ko' })
  expect(page.status).toBe(200)
  expect(page.headers.get('cache-control')).toBe('no-store')
  const text = await page.text()
  expect(text).toContain('films.localhost:3000')
  expect(text).toMatch(/value="KRW" selected/)
  expect(await listStores(deps.pool)).toEqual([])
})

test('wrong fields are named and keep what was typed', async () => {
  const answer = await send({ ...acme, name: ' ', code: 'Acme & Co', currency: 'XXY', email: 'mina' })
  expect(answer.status).toBe(422)
  const text = await answer.text()
  const named = Array.from(text.matchAll(/id="(\w+)-error"/g), ([, field]) => field)
  expect(named).toEqual(['name', 'code', 'currency', 'email'])
  expect(text).toContain('value="Acme &amp; Co"')
  expect(text).toMatch(/value="Asia\/Seoul" selected/)
  expect(await listStores(deps.pool)).toEqual([])
})

test('one store is created however often the form is sent, and its owner signs in to the console', async () => {
  const answers = await Promise.all([send(acme), send({ ...acme, code: 'another' })])
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409])
  const created = answers.find(({ status }) => status === 303)
  const [store, ...others] = await listStores(deps.pool)
  expect(others).toEqual([])
  expect(store).toMatchObject({ name: 'Acme Films', state: 'coming soon', hosts: 'films.localhost' })
  expect((await open()).status).toBe(409)

  const invitation = new URL(created?.headers.get('location') ?? '', 'http://films.localhost:3000')
  const page = await api.fetch(new Request(invitation))
  const text = await page.text()
  expect(text).toContain('mina@example.com')
  expect(text).toContain('<h1>Create your account for Acme Films</h1>')
  expect(text).toMatch(
    /aria-describedby="password-hint".*id="password-hint">.*At least 8 characters.*Not your email address/s,
  )
  const password = 'a long password'
  const joined = await api.fetch(
    new Request(new URL('/admin/invitation', invitation), {
      method: 'POST',
      body: new URLSearchParams({ ...Object.fromEntries(invitation.searchParams), name: 'Mina', password }),
    }),
  )
  expect(joined.status).toBe(200)
  const code = invitation.searchParams.get('store') ?? ''
  const { token } = await api.client(code).staff.signIn({ email: 'mina@example.com', password })
  expect(await api.client(code, { token: token ?? undefined }).staff.me()).toMatchObject({
    role: 'OWNER',
    email: 'mina@example.com',
  })
})
