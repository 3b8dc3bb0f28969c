import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApi } from '#api/app.ts'
import { mailTemplates } from '#api/mail-templates.ts'
import { depositExpiredMail } from '#api/modules/billing/mails/deposits.ts'
import { passwordChangedMail } from '#api/modules/identity/mails/accounts.ts'
import { sendMails, startFreshMails } from '#api/modules/mail/mail.jobs.ts'
import { queueMail } from '#api/modules/mail/mails.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { renderMail } from '#api/platform/mail/render.ts'
import type { MailTemplate } from '#api/platform/mail/template.ts'
import { createSmtpMailer, type Mailer } from '#api/platform/mail/transport.ts'
import type { Locale } from '#contract/enumerations.ts'
import { tidy } from '#tests/support/chores.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { keyIn, mailTo } from '#tests/support/mails.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const minute = 60_000
const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

const mailServer = async (...refusals: NonNullable<Parameters<typeof startMailServer>[0]>) => {
  const server = await startMailServer(refusals)
  opened.push(server.close)
  return { ...server, mailer: mailerTo(server.url) }
}

const mailerTo = (url: string): Mailer => {
  const mailer = createSmtpMailer({ url, from: 'post@marquee.example' })
  opened.push(mailer.close)
  return mailer
}

const send = async (tenant: Tenant, mailer: Mailer | null) => {
  const customer = await resolveCustomer(api.deps, tenant.code)
  await sendMails({ ...api.deps, mailer }, customer!)
}

const greeting: MailTemplate<{ words: string }> = {
  name: 'greeting',
  samples: [{ words: 'there' }],
  content: ({ words }) => ({
    subject: `Hello ${words}`,
    title: words,
    blocks: [{ kind: 'link', label: words, path: '/faq' }],
  }),
}

const queue = async (tenant: Tenant, to: string, more: { words?: string; once?: string; locale?: Locale } = {}) => {
  const customer = await resolveCustomer(api.deps, tenant.code)
  const { words = 'there', locale = 'en', once } = more
  await tenant.within((db) =>
    queueMail(
      { customer: customer!, db, clock: api.clock },
      { template: greeting, to, memberId: null, locale, data: { words }, ...(once && { once }) },
    ),
  )
}

describe('A mail', () => {
  test('leaves by the mail server, from the store, with its links whole, and its words are forgotten here', async () => {
    const settings = plainSettings()
    settings.base.name = '한강 아카데미'
    settings.business.email = 'help@store.example'
    const tenant = await createTenant(api, { settings })
    const server = await mailServer()
    const { email } = await tenant.createMember()
    await tenant.guest.joining.requestReset({ email })
    const key = keyIn(await mailTo(tenant, email))
    await send(tenant, server.mailer)

    const [mail] = server.received
    expect(server.received).toHaveLength(1)
    expect(mail).toMatchObject({ from: 'post@marquee.example', to: [email] })
    expect(mail?.headers).toMatchObject({
      from: '한강 아카데미 <post@marquee.example>',
      'reply-to': '한강 아카데미 <help@store.example>',
      subject: 'Reset your 한강 아카데미 password',
      'auto-submitted': 'auto-generated',
    })
    const link = `http://${tenant.code}.test:3000/reset-password?key=${key}`
    expect(mail?.text).toContain(link)
    expect(mail?.html).toContain(`href="${link}"`)
    expect(mail?.text + mail!.html).not.toContain('store-origin')
    const kept = await mailTo(tenant, email)
    expect(kept).toMatchObject({ status: 'SENT', text: '', html: '', attempts: 1, failure: null })
    await send(tenant, server.mailer)
    expect(server.received).toHaveLength(1)
  })

  test('is tried again later and later while its server cannot take it', async () => {
    const tenant = await createTenant(api)
    const busy = { code: 451, message: 'Try again later' }
    const server = await mailServer(busy, busy)
    await queue(tenant, 'one@example.com')
    await send(tenant, server.mailer)
    expect(await mailTo(tenant, 'one@example.com')).toMatchObject({ status: 'QUEUED', attempts: 1 })
    expect((await mailTo(tenant, 'one@example.com')).failure).toContain('Try again later')
    await send(tenant, server.mailer)
    expect((await mailTo(tenant, 'one@example.com')).attempts).toBe(1)
    api.clock.advance(minute)
    await send(tenant, server.mailer)
    api.clock.advance(minute)
    await send(tenant, server.mailer)
    expect(await mailTo(tenant, 'one@example.com')).toMatchObject({ status: 'QUEUED', attempts: 2 })
    api.clock.advance(4 * minute)
    await send(tenant, server.mailer)
    expect(await mailTo(tenant, 'one@example.com')).toMatchObject({ status: 'SENT', attempts: 3, failure: null })
    expect(server.received).toHaveLength(1)
  })

  test('that is refused for good has failed at once; the next one leaves', async () => {
    const tenant = await createTenant(api)
    const server = await mailServer({ code: 550, message: 'No such mailbox' })
    await queue(tenant, 'gone@example.com')
    await queue(tenant, 'here@example.com')
    await send(tenant, server.mailer)
    expect(await mailTo(tenant, 'gone@example.com')).toMatchObject({ status: 'FAILED', attempts: 1 })
    expect(await mailTo(tenant, 'here@example.com')).toMatchObject({ status: 'SENT' })
  })

  test('waits while the server is away: one try a round for all, and all leave when it is back', async () => {
    const tenant = await createTenant(api)
    const gone = await startMailServer()
    await gone.close()
    const away = mailerTo(gone.url)
    for (const to of ['a@example.com', 'b@example.com', 'c@example.com']) await queue(tenant, to)
    await send(tenant, away)
    const attempts = await Promise.all(['a', 'b', 'c'].map((who) => mailTo(tenant, `${who}@example.com`)))
    expect(attempts.map((mail) => [mail.status, mail.attempts])).toEqual([
      ['QUEUED', 1],
      ['QUEUED', 0],
      ['QUEUED', 0],
    ])
    api.clock.advance(minute)
    const server = await mailServer()
    await send(tenant, server.mailer)
    expect(server.received.map(({ to }) => to[0]).sort()).toEqual(['a@example.com', 'b@example.com', 'c@example.com'])
  })

  test('has failed after eight tries over a day', async () => {
    const tenant = await createTenant(api)
    const server = await mailServer(...Array.from({ length: 20 }, () => ({ code: 450, message: 'Busy' })))
    await queue(tenant, 'busy@example.com')
    for (let round = 0; round < 12; round++) {
      await send(tenant, server.mailer)
      api.clock.advance(12 * 60 * minute)
    }
    expect(await mailTo(tenant, 'busy@example.com')).toMatchObject({ status: 'FAILED', attempts: 8 })
  })

  test('is sent by one of several senders', async () => {
    const tenant = await createTenant(api)
    const server = await mailServer()
    for (let index = 0; index < 12; index++) await queue(tenant, `to-${index}@example.com`)
    await Promise.all([1, 2, 3].map(() => send(tenant, server.mailer)))
    expect(server.received.map(({ to }) => to[0]).sort()).toEqual(
      Array.from({ length: 12 }, (_, index) => `to-${index}@example.com`).sort(),
    )
  })

  test('is written once for one reason, and not at all where its reason does not hold', async () => {
    const tenant = await createTenant(api)
    const server = await mailServer()
    await queue(tenant, 'once@example.com', { once: 'receipt:1' })
    await queue(tenant, 'once@example.com', { once: 'receipt:1' })
    const customer = await resolveCustomer(api.deps, tenant.code)
    const undone = tenant.within(async (db) => {
      const wish = { template: greeting, to: 'never@example.com', memberId: null, locale: null, data: { words: '' } }
      await queueMail({ customer: customer!, db, clock: api.clock }, wish)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await send(tenant, server.mailer)
    expect(server.received.map(({ to }) => to[0])).toEqual(['once@example.com'])
  })

  test('leaves as soon as it is queued, without waiting for a sweep', async () => {
    const tenant = await createTenant(api)
    const server = await mailServer()
    const fresh = startFreshMails({ ...api.deps, mailer: server.mailer })
    opened.push(() => fresh[Symbol.asyncDispose]())
    await vi.waitFor(async () => {
      const { rows } = await api.owner.execute<{ listening: number }>(
        `SELECT count(*)::int AS listening FROM pg_stat_activity WHERE application_name = 'marquee-mails' AND query LIKE 'LISTEN%' AND state = 'idle'`,
      )
      expect(rows[0]?.listening).toBeGreaterThan(0)
    }, 10_000)
    await queue(tenant, 'soon@example.com')
    await vi.waitFor(() => expect(server.received.map(({ to }) => to[0])).toContain('soon@example.com'), 10_000)
  })

  test('is kept where there is no server, and forgotten after three months', async () => {
    const tenant = await createTenant(api)
    await queue(tenant, 'kept@example.com')
    await send(tenant, null)
    expect(await mailTo(tenant, 'kept@example.com')).toMatchObject({ status: 'KEPT', attempts: 0 })
    api.clock.advance(91 * 24 * 60 * minute)
    await tidy(api, tenant)
    await expect(mailTo(tenant, 'kept@example.com')).rejects.toThrow('There is no mail')
  })
})

const scripts = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '<a href="javascript:alert(1)">x</a>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '</title><script>alert(1)</script>',
  'store-origin:/evil" onclick="alert(1)',
]

/** The tags and attributes of a mail, as a browser would read them: in a mail of ours no data can hold a bare `<`. */
const marksOf = (html: string) => {
  const tags = [...html.matchAll(/<(\/?[a-z!][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>/gi)]
  const bare = [...html.matchAll(/</g)].length
  const attributes = tags.flatMap(([, , rest = '']) => [...rest.matchAll(/\s([a-z-]+)(?:="([^"]*)")?/gi)])
  return {
    allRead: bare === tags.length,
    tags: new Set(tags.map(([, name = '']) => name.replace('/', '').toLowerCase())),
    attributes: new Set(attributes.map(([, name = '']) => name)),
    links: attributes.filter(([, name]) => name === 'href').map(([, , value = '']) => value),
  }
}
const allowedTags = [
  'bdi',
  '!doctype',
  'html',
  'head',
  'meta',
  'title',
  'body',
  'table',
  'tr',
  'td',
  'h1',
  'div',
  'a',
  'br',
]
const allowedAttributes = [
  ...[
    'lang',
    'dir',
    'charset',
    'name',
    'content',
    'role',
    'width',
    'cellpadding',
    'cellspacing',
    'style',
    'align',
    'href',
    'html',
  ],
]

describe('Words of others in a mail', () => {
  const everything: MailTemplate<string> = {
    name: 'everything',
    samples: ['words'],
    content: (words) => ({
      subject: words,
      title: words,
      blocks: [
        { kind: 'text', text: words },
        { kind: 'note', text: words },
        { kind: 'quote', text: `${words}\n${words}` },
        { kind: 'code', label: words, code: words },
        { kind: 'facts', facts: [[words, words]] },
        { kind: 'link', label: words, path: '/faq' },
      ],
    }),
  }

  test.each(scripts)('are shown and never obeyed: %s', (words) => {
    const settings = plainSettings()
    settings.base.name = `Store ${words}`
    settings.theme.accent = `red;${words}`
    Object.assign(settings.business, { company: words, address: words, phone: words, email: words })
    const { html, text } = renderMail(everything, { code: 'x', settings }, 'en', words)
    const marks = marksOf(html)
    expect(marks.allRead).toBe(true)
    expect([...marks.tags].filter((tag) => !allowedTags.includes(tag))).toEqual([])
    expect([...marks.attributes].filter((name) => !allowedAttributes.includes(name))).toEqual([])
    expect(marks.links).toEqual(['store-origin:/faq'])
    expect(text).toContain(words)
  })

  test('end no header: a subject is one line', async () => {
    const tenant = await createTenant(api)
    const server = await mailServer()
    await queue(tenant, 'header@example.com', { words: 'there\r\nBcc: victim@example.com\r\n\r\n<b>body</b>' })
    await send(tenant, server.mailer)
    const [mail] = server.received
    expect(mail?.to).toEqual(['header@example.com'])
    expect(mail?.headers.bcc).toBeUndefined()
    expect(mail?.headers.subject).toBe('Hello there Bcc: victim@example.com <b>body</b>')
  })
})

test.each(mailTemplates)('$name says the same in every language, with each of its samples', (template) => {
  for (const [index, sample] of template.samples.entries()) {
    const render = (locale: Locale) => renderMail(template, { code: 'x', settings: plainSettings() }, locale, sample)
    const english = render('en')
    expect(english.subject).not.toBe('')
    for (const locale of ['ko', 'ja', 'ar'] as const) {
      const { subject, text, html } = render(locale)
      expect(html).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`)
      expect([subject, text], `sample ${index} in ${locale}`).not.toContain('')
      expect(subject).not.toBe(english.subject)
      expect(text.split('\n\n')).toHaveLength(english.text.split('\n\n').length)
      expect(text).not.toMatch(/\{\w+[,}]|undefined/)
    }
  }
})

test('every file of mails is among the previews', async () => {
  const files = globSync('api/modules/*/mails/*.ts')
  const templates = await Promise.all(files.map(async (file) => Object.values(await import(resolve(file)))))
  const names = templates.flat().flatMap((one) => (one && typeof one === 'object' && 'samples' in one ? [one] : []))
  expect(names.length).toBeGreaterThan(15)
  expect(mailTemplates).toHaveLength(names.length)
  expect(new Set(mailTemplates.map(({ name }) => name)).size).toBe(names.length)
})

test('the change of a password is dated in the store’s time', () => {
  for (const locale of ['en', 'ko', 'ja', 'ar'] as const) {
    const mail = renderMail(passwordChangedMail, { code: 'x', settings: plainSettings() }, locale, {
      at: '2026-11-21T03:04:05.000Z',
    })
    expect(mail.text).toMatch(/12[:：]04|١٢:٠٤/)
  }
})

test('an order’s code keeps its order in an Arabic mail, and Korean alone keeps its words whole', () => {
  const render = (locale: 'ko' | 'ja' | 'ar') =>
    renderMail(depositExpiredMail, { code: 'x', settings: plainSettings() }, locale, {
      code: '20261119-ZPR0NQ',
      amount: { amount: 999, currency: 'USD' },
    })
  expect(render('ar').subject).toContain('(\u206620261119-ZPR0NQ\u2069)')
  expect(render('ar').html).toContain('<bdi>20261119-ZPR0NQ</bdi>')
  expect(render('ja').subject).toContain('(20261119-ZPR0NQ)')
  expect(render('ko').html).toContain('word-break:keep-all')
  expect(render('ja').html).not.toContain('word-break')
})

describe('The demo’s mailbox', () => {
  const demo = createApi({ ...api.deps, mailbox: true })
  const open = (host: string, path: string) => demo.fetch(new Request(`http://${host}${path}`))

  test.each([
    ['ko', '메일함', 'ltr'],
    ['ja', 'メールボックス', 'ltr'],
    ['ar', 'صندوق البريد', 'rtl'],
    ['en', 'Mailbox', 'ltr'],
  ])('speaks %s where it was chosen in the store, or is the browser’s', async (lang, title, dir) => {
    for (const headers of [
      { cookie: `locale=${lang}`, 'accept-language': 'fr' },
      { 'accept-language': `${lang},fr` },
    ]) {
      const page = await (await demo.fetch(new Request('http://nobody.test/mailbox', { headers }))).text()
      expect(page).toContain(`<html lang="${lang}" dir="${dir}">`)
      expect(page).toContain(`<h1>${title}</h1>`)
    }
  })

  test('shows a store’s mails at its host, and only those', async () => {
    const [tenant, other] = [await createTenant(api), await createTenant(api)]
    await queue(tenant, 'reader@example.com', { words: '<b>you</b>' })
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

  test('shows a mail as text and as HTML that runs nothing, with links into the store', async () => {
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

  test('previews every mail in every language, as the store would send it', async () => {
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

  test('answers nonsense with 404, and is not there at all outside of the demo', async () => {
    const tenant = await createTenant(api)
    for (const path of ['x/y', `${tenant.code}/1`, `${tenant.code}/00000000-0000-0000-0000-000000000000/html`])
      expect((await open(`${tenant.code}.test`, `/mailbox/${path}`)).status).toBe(404)
    expect((await api.fetch(new Request(`http://${tenant.code}.test/mailbox`))).status).toBe(404)
    const form = { email: 'new@example.com', password: 'a long enough word', name: 'Sora', phone: '213 373 4253' }
    const asked = await demo.fetch(
      new Request(`http://x.test/api/v1/customers/${tenant.code}/join/verifications`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...form, agreeTerms: true, agreePrivacy: true, isOldEnough: true }),
      }),
    )
    expect(await asked.json()).toMatchObject({ mailbox: '/mailbox' })
  })
})
