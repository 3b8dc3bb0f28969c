import { packFunction } from '../../scripts/targets.ts'
import { demoPassword } from './new-member'
import { platforms, type Received, type Running } from './platforms'
import { expect, test } from './store'

// The storefront as each platform runs it, apart from the API. No browser: the pages are those that
// other tests open.

/** A visitor who keeps cookies and sends forms. */
const visitor = ({ origin, send }: Running) => {
  const cookies = new Map<string, string>()
  const ask = async (method: string, path: string, body?: string, type?: string): Promise<Received> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = {
      accept: method === 'GET' ? 'text/html' : '*/*',
      'accept-language': 'en',
      ...(cookie && { cookie }),
      ...(body !== undefined && { origin, 'content-type': type, 'content-length': String(Buffer.byteLength(body)) }),
    }
    const answer = await send({ method, path, headers, ...(body !== undefined && { body }) } as Parameters<
      typeof send
    >[0])
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return answer
  }
  const get = async (path: string) => {
    const answer = await ask('GET', path)
    return { ...answer, text: Buffer.from(answer.body).toString() }
  }
  const post = async (path: string, value: object) => {
    const answer = await ask('POST', path, JSON.stringify(value), 'application/json')
    return { ...answer, text: Buffer.from(answer.body).toString() }
  }
  const submit = (path: string, fields: URLSearchParams) =>
    ask('POST', path, fields.toString(), 'application/x-www-form-urlencoded')
  return { get, post, submit }
}

/** The fields of the first form on a page that is sent to `action`. */
const formTo = (action: string, html: string): URLSearchParams => {
  const form = html.split('<form').find((part) => part.split('>', 1)[0]?.includes(`action="${action}"`)) ?? ''
  const fields = new URLSearchParams()
  for (const [tag] of (form.split('</form>', 1)[0] ?? '').matchAll(/<(?:input|button)[^>]*\sname="[^>]*>/g)) {
    const [name, value] = ['name', 'value'].map((key) => new RegExp(`\\s${key}="([^"]*)"`).exec(tag)?.[1])
    if (name) fields.append(name, value ?? '')
  }
  return fields
}

for (const [name, { missing, run }] of Object.entries(platforms)) {
  const target = name as keyof typeof platforms
  if (missing) {
    console.log(missing)
    continue
  }
  test(`a visitor of the storefront on ${target} browses, signs in and fills the cart`, async ({ baseURL }) => {
    process.env.API_URL = `http://127.0.0.1:${Number(new URL(baseURL ?? '').port) - 1}`
    await packFunction(target)
    await using running = await run(target, 'aurora.localhost')
    const { get, post, submit } = visitor(running)

    const page = await get('/products/the-last-light')
    expect(page.status).toBe(200)
    expect(page.text).toContain('The Last Light')
    const picture = /src="(\/media\/[^"]+|\/p\/[^"]+)"/.exec(page.text)?.[1]
    const media = await get(picture ?? '/no picture')
    expect([media.status, media.headers.get('content-type')?.split('/')[0]]).toEqual([200, 'image'])
    expect((await get('/no/such/page')).status).toBe(404)

    const base = '/api/v1/customers/aurora'
    expect(JSON.parse((await get(`${base}/site-settings`)).text)).toMatchObject({
      base: { name: expect.stringMatching(/Aurora/) },
    })
    // A few wrong passwords for one address, of all platforms together, would lock it.
    const refused = await post(`${base}/login`, { email: `${target}@example.com`, password: 'not the password' })
    expect(refused.status).toBe(401)
    const session = await post(`${base}/login`, { email: 'second@example.com', password: demoPassword })
    expect((await post('/api/approval', JSON.parse(session.text))).status).toBeLessThan(300)

    // The console’s document and script come from the API’s process.
    const script = /src="(\/admin\/assets\/[^"]+)"/.exec((await get('/admin/orders')).text)?.[1]
    expect((await get(script ?? '/no script')).headers.get('content-type')).toContain('javascript')

    const added = await submit('/carts', formTo('/carts', (await get('/products/the-last-light')).text))
    expect(added.status).toBe(303)
    expect((await get('/carts')).text).toContain('The Last Light')
  })
}
