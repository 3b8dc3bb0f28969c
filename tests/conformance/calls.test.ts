import { expect, test } from 'vitest'
import { customerBase } from '#contract/http.ts'
import { buy } from '#tests/support/buying.ts'
import { createFullTenant } from '#tests/support/full-tenant.ts'
import { addAttachment, createFilm } from '#tests/support/media.ts'
import { password } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const store = await createFullTenant(api, 'conformance')
const { member, product, free, ids } = store
const bought = await store.createProduct({ file: false, title: 'Bought', kind: 'PAY' })
const attachmentId = await addAttachment(store, bought.id, 'notes.pdf', 'attachment/notes.pdf')
await buy(api, store, member, bought)

/**
 * One call as the specification writes it: method, path shape filled in, payload; by the member, or
 * by a guest.
 */
const ask = async (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  as: 'member' | 'guest' = 'member',
) => {
  const response = await api.fetch(
    new Request(`${api.origin}${customerBase(store.code)}/${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(as === 'member' && { authorization: `Bearer ${member.token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  return { status: response.status, data: text ? JSON.parse(text) : null }
}
const ok = (data: object) => ({ status: 200, data: expect.objectContaining(data) })
const listing = (...items: object[]) => ok({ items: items.map((item) => expect.objectContaining(item)) })

test('§7 GET contract', async () => {
  expect(await ask('GET', 'contract', undefined, 'guest')).toEqual(ok({ useCustomer: true, useSite: true }))
})

test('§7 POST login: credentials', async () => {
  const answer = await ask('POST', 'login', { email: member.email, password }, 'guest')
  expect(answer).toEqual(ok({ tokenType: 'Bearer', token: expect.stringMatching(/^\S{40,}$/) }))
  expect((await ask('POST', 'login', { email: member.email, password: 'not it' }, 'guest')).status).toBe(401)
})

test('§7 GET me', async () => {
  expect(await ask('GET', 'me')).toEqual(ok({ id: member.id, usePlan: { partnership: false, regular: true } }))
  expect((await ask('GET', 'me', undefined, 'guest')).status).toBe(401)
})

test('§7 GET site-settings', async () => {
  const answer = await ask('GET', 'site-settings', undefined, 'guest')
  expect(answer).toEqual(ok({ base: expect.objectContaining({ name: 'conformance store' }) }))
})

test('§7 GET categories', async () => {
  expect(await ask('GET', 'categories', undefined, 'guest')).toEqual(listing({ id: store.category.id, level: 1 }))
})

test('§7 GET new-search: query', async () => {
  expect(await ask('GET', 'new-search?q=conformance+free', undefined, 'guest')).toEqual(listing({ id: free.id }))
  expect(await ask('GET', 'new-search?sort=createdAt,ASC&size=1')).toEqual(listing({ id: product.id }))
})

test('§7 GET products/recently-watched: query exposureLimit', async () => {
  const film = await createFilm(store, { access: 'FREE', price: null })
  for (const { id } of [free, film])
    await member.client.playback.progress({
      id,
      positionSeconds: 20,
      playedSeconds: 20,
      at: new Date().toISOString(),
    })
  expect((await ask('GET', 'products/recently-watched?exposureLimit=24')).data.items).toHaveLength(2)
  expect(await ask('GET', 'products/recently-watched?exposureLimit=1')).toEqual(listing({ id: film.id }))
})

test('§7 GET products/viewed: query exposureLimit', async () => {
  for (const { id } of [free, product]) await member.client.catalog.product({ id })
  expect(await ask('GET', 'products/viewed?exposureLimit=2')).toEqual(listing({ id: product.id }, { id: free.id }))
  expect(await ask('GET', 'products/viewed?exposureLimit=1')).toEqual(listing({ id: product.id }))
})

test('§9 exposureLimit 24 for recently watched and viewed lists', async () => {
  const reader = await store.createMember()
  const films = await Promise.all(
    Array.from({ length: 26 }, (_, at) => createFilm(store, { title: `Film ${at}`, access: 'FREE', price: null })),
  )
  for (const { id } of films) await reader.client.catalog.product({ id })
  expect((await reader.client.catalog.viewed({})).items).toHaveLength(24)
  expect((await reader.client.catalog.viewed({ exposureLimit: 26 })).items).toHaveLength(26)
  const at = new Date().toISOString()
  for (const { id } of films) await reader.client.playback.progress({ id, positionSeconds: 20, playedSeconds: 20, at })
  expect((await reader.client.catalog.recentlyWatched({})).items).toHaveLength(24)
})

test('§7 GET new-products/{id}', async () => {
  const byId = await ask('GET', `new-products/${product.id}`, undefined, 'guest')
  expect(byId).toEqual(ok({ id: product.id, code: product.code, title: 'conformance product' }))
})

test('§7 GET products/{id}/options', async () => {
  expect(await ask('GET', `products/${product.id}/options`, undefined, 'guest')).toEqual(
    listing({ id: product.optionId, productId: product.id, price: { amount: 1200, currency: 'USD' } }),
  )
})

test('§7 GET products/options: query', async () => {
  const { status, data } = await ask('GET', `products/options?productIds[]=${product.id}&productIds[]=${bought.id}`)
  expect(status).toBe(200)
  expect(new Set(data.items.map((option: { id: string }) => option.id))).toEqual(
    new Set([product.optionId, bought.optionId]),
  )
})

test('§7 POST products/{id}/like: not shown', async () => {
  expect(await ask('POST', `products/${free.id}/like`, { liked: true })).toEqual(ok({ liked: true, countOfLikes: 1 }))
  expect(await ask('POST', `products/${free.id}/like`, { liked: false })).toEqual(ok({ liked: false, countOfLikes: 0 }))
})

test('§7 GET products/{id}/comments', async () => {
  const comment = { id: ids.comment, body: 'conformance comment', countOfReplies: 1 }
  expect(await ask('GET', `products/${product.id}/comments`, undefined, 'guest')).toEqual(listing(comment))
})

test('§7 POST products/{id}/comments: body not shown', async () => {
  const { status, data } = await ask('POST', `products/${free.id}/comments`, { body: 'What a tide.' })
  expect([status, data.body, data.author.mine]).toEqual([201, 'What a tide.', true])
  expect(await ask('GET', `products/${free.id}/comments`)).toEqual(listing({ id: data.id }))
})

test('§7 GET products/{id}/comments/{commentId}/replies', async () => {
  const replies = await ask('GET', `products/${product.id}/comments/${ids.comment}/replies`, undefined, 'guest')
  expect(replies).toEqual(listing({ id: ids.reply, parentId: ids.comment, body: 'conformance reply' }))
})

test('§7 DELETE products/{id}/comments/{commentId}', async () => {
  const { id } = await member.client.engagement.addComment({ id: bought.id, body: 'To be taken back.' })
  expect((await ask('DELETE', `products/${bought.id}/comments/${id}`, undefined, 'guest')).status).toBe(401)
  expect(await ask('DELETE', `products/${bought.id}/comments/${id}`)).toEqual({ status: 204, data: null })
  expect((await ask('GET', `products/${bought.id}/comments`)).data.items).toEqual([])
})

test('§7 GET products/liked: query', async () => {
  expect(await ask('GET', 'products/liked?page=1&size=10')).toEqual(listing({ id: product.id }))
  expect(await ask('GET', 'products/liked?page=2&size=10')).toEqual(listing())
})

test('§7 GET products/purchased: query', async () => {
  expect(await ask('GET', 'products/purchased?page=1&size=10')).toEqual(
    listing({ id: bought.id }, { id: store.owned.id }),
  )
  expect((await ask('GET', 'products/purchased', undefined, 'guest')).status).toBe(401)
})

test('§7 GET products/{id}/attachments', async () => {
  const file = { id: ids.attachment, name: 'conformance.pdf', available: false }
  expect(await ask('GET', `products/${product.id}/attachments`)).toEqual(listing(file))
  expect(await ask('GET', `products/${bought.id}/attachments`)).toEqual(listing({ id: attachmentId, available: true }))
})

test('§7 GET products/{id}/attachments/{attachmentId}/confirm', async () => {
  const confirmed = await ask('GET', `products/${bought.id}/attachments/${attachmentId}/confirm`)
  expect(confirmed).toEqual(ok({ name: 'notes.pdf', url: expect.stringMatching(/^\/m\//) }))
  expect((await ask('GET', `products/${product.id}/attachments/${ids.attachment}/confirm`)).status).toBe(403)
})

test('§7 GET products/{id}/preview-player/{id}', async () => {
  const preview = await ask('GET', `products/${product.id}/preview-player/${ids.video}`, undefined, 'guest')
  expect(preview).toEqual(ok({ durationSeconds: 10, manifestUrl: expect.stringContaining('preview') }))
})
