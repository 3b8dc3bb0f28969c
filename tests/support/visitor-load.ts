import { randomUUID } from 'node:crypto'
import { expect, vi } from 'vitest'
import type { OrderCode, ProductId } from '#contract/ids.ts'
import { terms } from './buying.ts'
import { createFilm } from './media.ts'
import { password, type Tenant, type TestMember } from './tenant.ts'
import type { TestApi } from './test-api.ts'

type Send = (request: Request) => Promise<Response>
type Film = Awaited<ReturnType<typeof createFilm>>

interface LoadOptions {
  api: TestApi
  tenant: Tenant
  members: readonly TestMember[]
  films: readonly Film[]
  send: Send
  /** What the store's pages get beside the cookie of the session. */
  pageHeaders?: Record<string, string>
}

/** What the store has acknowledged. */
interface Acknowledged {
  tokens: string[]
  likes: ProductId[]
  orders: OrderCode[]
  /** The seconds at which films were left. */
  positions: Map<ProductId, number>
}

const successCard = { action: 'pay', number: '4242 4242 4242 4242', expiry: '12 / 40', cvc: '123', name: 'Mina Park' }

/** Creates films with a manifest each, which the store's media folder then has. */
export const createFilms = async (api: TestApi, tenant: Tenant, count: number): Promise<Film[]> => {
  const films: Film[] = []
  for (let at = 0; at < count; at++) films.push(await createFilm(tenant, { title: `Film ${at}` }))
  for (const { video } of films)
    await api.deps.storage.put(`${video.asset}/master.m3u8` as never, Buffer.from('#EXTM3U'))
  return films
}

/**
 * Members who sign in, look at pages, buy films from their carts, like and watch them, until
 * `during` has ended, which can wait for more answers. Returns the failures and what is lost of
 * what was acknowledged.
 */
export const underVisitors = async (
  options: LoadOptions,
  during: (answered: (more: number) => Promise<void>) => Promise<unknown>,
) => {
  const { api, tenant, members, films, send, pageHeaders = {} } = options
  const failures: string[] = []
  let count = 0
  let isOver = false

  const attempt = async <Answer>(what: string, work: () => Promise<Answer>): Promise<Answer | undefined> => {
    try {
      return await work()
    } catch (error) {
      failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      count++
    }
  }
  const get = (what: string, path: string, headers: Record<string, string>) =>
    attempt(what, async () => {
      const answer = await send(new Request(new URL(path, api.origin), { headers }))
      if (!answer.ok) throw new Error(`${answer.status} for ${path}: ${answer.headers.get('location')}`)
      return answer.text()
    })
  /** A page with the script that begins it. */
  const visit = async (what: string, path: string, headers: Record<string, string>) => {
    const html = await get(what, path, { accept: 'text/html', ...pageHeaders, ...headers })
    const script = html && /src="(\/assets\/[^"]+)"/.exec(html)?.[1]
    if (html) await get(`script of ${what}`, script ?? '/no-script', {})
  }
  const clientOf = (token?: string) =>
    api.client(tenant.code, { token, idempotencyKey: token && randomUUID(), fetch: send } as never)

  const signIn = async (member: TestMember, saved: Acknowledged) => {
    const answer = await attempt('sign-in', () => clientOf().identity.login({ email: member.email, password }))
    if (answer) saved.tokens.push(answer.token)
    return answer?.token ?? member.token
  }
  const cookieOf = (token: string) => ({ cookie: `token=${token}; __Host-token=${token}` })

  const buyFilm = async (token: string, film: Film) => {
    const cart = await attempt('cart', () =>
      clientOf(token).orders.addToCart({ productId: film.id, optionId: film.optionId! }),
    )
    const item = cart?.items.find(({ product }) => product.id === film.id)
    if (!item) return null
    const order = await attempt('order', () =>
      clientOf(token).orders.placeOrder({ cartItemIds: [item.id], ...terms(tenant) }),
    )
    const started =
      order &&
      (await attempt('payment', () =>
        clientOf(token).billing.startPayment({ code: order.code, method: 'CARD', returnUrl: '/payments/result' }),
      ))
    if (!started) return null
    await attempt('card page', async () => {
      const page = new URL(started.redirectUrl, api.origin)
      const answer = await send(new Request(page, { method: 'POST', body: new URLSearchParams(successCard) }))
      if (answer.status >= 400) throw new Error(`${answer.status}`)
    })
    const paid = await attempt('confirmation', () => clientOf(token).billing.confirmPayment({ id: started.payment.id }))
    return paid?.order.status === 'PAYMENT_COMPLETE' ? paid.order.code : null
  }

  const watch = async (token: string, { id }: Film, positionSeconds: number) => {
    const started = await attempt('playback', () => clientOf(token).playback.startPlayback({ id }))
    if (!started) return false
    await get('manifest', started.manifestUrl, cookieOf(token))
    const report = { positionSeconds, playedSeconds: 10, at: new Date().toISOString(), state: 'LEFT' } as const
    const playId = started.playId ?? undefined
    return Boolean(await attempt('progress', () => clientOf(token).playback.progress({ id, ...report, playId })))
  }

  const acknowledged = members.map((): Acknowledged => ({ tokens: [], likes: [], orders: [], positions: new Map() }))
  const visits = members.map(async (member, at) => {
    const saved = acknowledged[at]!
    let token = member.token
    for (let round = 0; !isOver; round++) {
      const film = films[round % films.length]!
      if (round % 8 === 0) token = await signIn(member, saved)
      await visit('home', '/', {})
      await visit('list', `/products?q=${round}`, cookieOf(token))
      if (round < films.length) {
        const code = await buyFilm(token, film)
        if (code) saved.orders.push(code)
        else continue
      }
      const liked = await attempt('like', () => clientOf(token).engagement.like({ id: film.id, liked: true }))
      if (liked) saved.likes.push(film.id)
      const position = 20 + (round % 60)
      if (await watch(token, film, position)) saved.positions.set(film.id, position)
      await visit('purchases', '/mypages', cookieOf(token))
    }
  })
  const answered = (more: number) => {
    const enough = count + more
    return vi.waitFor(() => expect(count, failures.join('\n')).toBeGreaterThan(enough), {
      timeout: 60_000,
      interval: 20,
    })
  }
  await answered(30)
  await during(answered).finally(() => {
    isOver = true
  })
  await Promise.all(visits)

  const lost: string[] = []
  for (const [at, { id, token }] of members.entries()) {
    const { tokens, likes, orders, positions } = acknowledged[at]!
    const client = clientOf(token)
    for (const one of tokens)
      await clientOf(one)
        .identity.me()
        .catch(() => lost.push(`session of ${id}`))
    const stored = await tenant.within(async (db) => ({
      likes: (await db.$client.query('SELECT product_id AS key FROM likes WHERE member_id = $1', [id])).rows,
      orders: (
        await db.$client.query(`SELECT code AS key FROM orders WHERE member_id = $1 AND status = 'PAYMENT_COMPLETE'`, [
          id,
        ])
      ).rows,
    }))
    const keys = new Set([...stored.likes, ...stored.orders].map(({ key }) => key))
    lost.push(...[...likes, ...orders].filter((key) => !keys.has(key)))
    for (const [productId, seconds] of positions) {
      const { resumeSeconds } = await client.playback.startPlayback({ id: productId })
      if (resumeSeconds !== seconds) lost.push(`position ${seconds} of ${productId}: ${resumeSeconds}`)
    }
  }
  return { failures: [...new Set(failures)], lost, orders: acknowledged.flatMap(({ orders }) => orders).length }
}
