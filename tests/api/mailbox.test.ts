import { describe, expect, test } from 'vitest'
import { createApi } from '#api/app.ts'
import { mailTemplates } from '#api/mail-templates.ts'
import { mailTo, queueGreetingOf } from '#tests/support/mails.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const queue = queueGreetingOf(api)

describe('The demo’s mailbox', () => {
  const demo = createApi({ ...api.deps, mailbox: true })
  const open = (host: string, path: string) => demo.fetch(new Request(`http://${host}${path}`))

  test.each([
    ['ko', '메일함', 'ltr'],
    ['ja', 'メールボックス', 'ltr'],
    ['ar', 'صندوق البريد', 'rtl'],
    ['en', 'Mailbox', 'ltr'],
  ])('the mailbox is in %s by the cookie of the store or the browser’s language', async (lang, title, dir) => {
    for (const headers of [
      { cookie: `locale=${lang}`, 'accept-language': 'fr' },
      { 'accept-language': `${lang},fr` },
    ]) {
      const page = await (await demo.fetch(new Request('http://nobody.test/mailbox', { headers }))).text()
      expect(page).toContain(`<html lang="${lang}" dir="${dir}">`)
      expect(page).toContain(`<h1>${title}</h1>`)
    }
  })

  test('the mailbox at a store’s host shows only the store’s mails', async () => {
    const [tenant, other] = [await createTenant(api), await createTenant(api)]
    await queue(tenant, 'reader@example.com', { input: '<b>you</b>' })
    await queue(other, 'stranger@example.com')
    const list = await open(`${tenant.code}.test`, '/mailbox')
    const page = await list.text()
    expect(list.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page).toContain('reader@example.com')
    expect(page).toContain('Hello &lt;b&gt;you&lt;/b&gt;')
    expect(page).not.toContain('stranger@example.com')
    const { id } = await mailTo(other, 'stranger@example.com')
    expect((await open(`${tenant.code}.test`, `/mailbox/${other.code}/${id}`)).status).toBe(404)
    expect(await (await open(`${tenant.code}.test`, '/mailbox?to=nobody@example.com')).text()).toContain(
      'No emails to nobody',
    )
    expect(await (await open('nobody.test', '/mailbox?to=stranger@example.com')).text()).toContain(
      'stranger@example.com',
    )
  })

  test('the mailbox shows a mail as text and as sandboxed HTML, with links to the store', async () => {
    const tenant = await createTenant(api)
    await queue(tenant, 'reader@example.com')
    const { id } = await mailTo(tenant, 'reader@example.com')
    const path = `/mailbox/${tenant.code}/${id}`
    const link = `http://${tenant.code}.test:3000/faq`
    const page = await (await open(`${tenant.code}.test`, path)).text()
    expect(page).toContain(`<a href="${link}">${link}</a>`)
    expect(page).toMatch(/<iframe [^>]*sandbox="(?!.*allow-(?:scripts|same-origin))/)
    const html = await open(`${tenant.code}.test`, `${path}/html`)
    expect(html.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox allow-popups/)
    expect(await html.text()).toContain(`href="${link}"`)
  })

  test('the mailbox previews every mail in every language with the store’s settings', async () => {
    const settings = plainSettings()
    settings.base.name = 'Lantern House'
    const tenant = await createTenant(api, { settings })
    const host = `${tenant.code}.test`
    expect(await (await open(host, '/mailbox')).text()).toContain('href="/mailbox/previews"')
    const list = await (await open(host, '/mailbox/previews')).text()
    for (const { name } of mailTemplates) expect(list).toContain(`href="/mailbox/previews/${name}"`)
    const page = await (await open(host, '/mailbox/previews/welcome')).text()
    for (const locale of ['en', 'ko', 'ja', 'ar']) {
      const frame = `/mailbox/previews/welcome/${locale}/0`
      expect(page).toMatch(new RegExp(`<iframe src="${frame}" [^>]*sandbox="(?!.*allow-(?:scripts|same-origin))`))
      const mail = await open(host, frame)
      expect(mail.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox allow-popups/)
      const html = await mail.text()
      expect(html).toContain(`<html lang="${locale}"`)
      expect(html).toContain('Lantern House')
      expect(html).toContain(`href="http://${host}:3000/mypages/profile"`)
    }
    for (const path of ['nothing', 'welcome/xx/0', 'welcome/en/99', 'welcome/en/length', 'welcome/en'])
      expect((await open(host, `/mailbox/previews/${path}`)).status).toBe(404)
    expect((await api.fetch(new Request(`http://${host}/mailbox/previews`))).status).toBe(404)
  })

  test('the mailbox answers unknown paths with 404, and does not exist outside of the demo', async () => {
    const tenant = await createTenant(api)
    for (const path of ['x/y', `${tenant.code}/1`, `${tenant.code}/00000000-0000-0000-0000-000000000000/html`])
      expect((await open(`${tenant.code}.test`, `/mailbox/${path}`)).status).toBe(404)
    expect((await api.fetch(new Request(`http://${tenant.code}.test/mailbox`))).status).toBe(404)
    const form = { email: 'new@example.com', password: 'a long enough word', name: 'Sora', phone: '213 373 4253' }
    const joined = await demo.fetch(
      new Request(`http://x.test/api/v1/customers/${tenant.code}/join/verifications`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...form, agreeTerms: true, agreePrivacy: true, isOldEnough: true }),
      }),
    )
    expect(await joined.json()).toMatchObject({ mailbox: '/mailbox' })
  })
})
