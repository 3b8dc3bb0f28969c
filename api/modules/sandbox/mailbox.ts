import { readFileSync } from 'node:fs'
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import type { Deps } from '#api/deps.ts'
import { type KeptMail, type MailHead, readMail, readMails } from '#api/modules/mail/mail.queries.ts'
import { resolveCustomer, storeOriginOf } from '#api/modules/tenancy/stores.ts'
import { findCustomerCodeByHost, readCodes } from '#api/modules/tenancy/tenancy.queries.ts'
import type { Customer } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { visitorLanguage } from '#api/platform/i18n/translations.ts'
import { withLinks } from '#api/platform/mail/render.ts'
import { formatDateTime } from '#contract/dates.ts'
import type { Locale } from '#contract/enumerations.ts'
import { mailboxWords } from './mailbox-messages.ts'

/** A store and what it has written, as the mailbox shows it. */
export interface ShownStore {
  code: string
  name: string
  timeZone: string
}

const shell = (locale: Locale, title: string, body: ReturnType<typeof html>) => html`<!doctype html>
<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex,nofollow" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    <link rel="icon" href="/mailbox/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/mailbox/mailbox.css" />
  </head>
  <body><main>${body}</main></body>
</html>`

const row = (locale: Locale, store: ShownStore, mail: MailHead) => html`<li>
    <a href="/mailbox/${store.code}/${mail.id}">
      <span class="subject" lang="${mail.locale}">${mail.subject}</span>
      <span class="about"><span>${mailboxWords[locale].toWhom(mail.to)}</span><time datetime="${mail.createdAt}">${formatDateTime(mail.createdAt, store.timeZone)}</time></span>
    </a>
  </li>`

/** The mails of the stores, each store's latest first. `to` narrows to one address. */
export const listPage = (
  locale: Locale,
  stores: readonly { store: ShownStore; mails: readonly MailHead[] }[],
  to: string,
) => {
  const words = mailboxWords[locale]
  const written = stores.filter(({ mails }) => mails.length > 0)
  return shell(
    locale,
    words.title,
    html`<h1>${words.title}</h1>
    <p class="soft">${words.about}</p>
    <form method="get" action="/mailbox" role="search">
      <input type="search" name="to" value="${to}" aria-label="${words.address}" placeholder="${words.example}" />
      <button>${words.show}</button>
    </form>
    ${
      written.length === 0
        ? html`<p class="empty">${to ? words.noneTo(to) : words.none}</p>`
        : written.map(
            ({ store, mails }) => html`<section aria-labelledby="store-${store.code}">
        <h2 id="store-${store.code}">${store.name}</h2>
        <ul class="mails">${mails.map((mail) => row(locale, store, mail))}</ul>
      </section>`,
          )
    }`,
  )
}

/** The text with its addresses as links. */
const linked = (text: string) =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part))

/** One mail: what a mail program shows, and the text for those that show no HTML. */
export const mailPage = (locale: Locale, store: ShownStore, mail: KeptMail) => {
  const words = mailboxWords[locale]
  return shell(
    locale,
    mail.subject,
    html`<p><a href="/mailbox">${words.all}</a></p>
    <h1 lang="${mail.locale}">${mail.subject}</h1>
    <dl>
      <dt>${words.from}</dt><dd>${store.name}</dd>
      <dt>${words.to}</dt><dd>${mail.to}</dd>
      <dt>${words.written}</dt><dd><time datetime="${mail.createdAt}">${formatDateTime(mail.createdAt, store.timeZone)}</time></dd>
      <dt>${words.state}</dt><dd>${words.status[mail.status]}${mail.failure ? ` (${mail.failure})` : ''}</dd>
    </dl>
    <iframe src="/mailbox/${store.code}/${mail.id}/html" title="${words.asHtml}"
      sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"></iframe>
    <h2>${words.asText}</h2>
    <pre lang="${mail.locale}" dir="auto">${linked(mail.text)}</pre>`,
  )
}

export const missingPage = (locale: Locale) => {
  const words = mailboxWords[locale]
  return shell(
    locale,
    words.title,
    html`<h1>${words.missing}</h1><p class="soft">${words.whyMissing}</p><p><a href="/mailbox">${words.all}</a></p>`,
  )
}

const stylesheet = readFileSync(new URL('./mailbox.css', import.meta.url), 'utf8')
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f2544"/><path d="M7 11h18v11H7zM7 11l9 7 9-7" fill="none" stroke="#fff" stroke-width="2" stroke-linejoin="round"/></svg>'

const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
/** A mail has its styles in itself. It is nobody's origin, runs nothing and fetches nothing. */
const mailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"

const latest = 100
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const shown = ({ code, settings }: Customer): ShownStore => ({
  code,
  name: settings.base.name ?? code,
  timeZone: settings.base.timeZone,
})

/** The demo's mailbox: at a store's host its mails, at a host of none those of all. It is there in the demo alone. */
export const createMailbox = (deps: Deps) => {
  const pages = new Hono()
  pages.use(async (context, next) => {
    await next()
    if (!context.res.headers.has('content-security-policy')) context.header('content-security-policy', pagePolicy)
    if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store')
    context.header('referrer-policy', 'no-referrer')
  })
  const asset = (path: string, contentType: string, body: string) =>
    pages.get(path, (context) =>
      context.body(body, 200, { 'content-type': contentType, 'cache-control': 'public, max-age=300' }),
    )
  asset('/mailbox.css', 'text/css; charset=utf-8', stylesheet)
  asset('/icon.svg', 'image/svg+xml', icon)

  /** The stores that may be looked into from this request's host. */
  const storesHere = async (context: Context): Promise<Customer[]> => {
    const own = await findCustomerCodeByHost(deps.pool, new URL(context.req.url).hostname)
    const codes = own ? [own] : await readCodes(deps.pool)
    const stores = await Promise.all(codes.map((code) => resolveCustomer(deps, code)))
    return stores.filter((store) => store !== null)
  }

  pages.get('/', async (context) => {
    const to = (context.req.query('to') ?? '').replaceAll('\u0000', '').trim().slice(0, 254)
    const stores = await Promise.all(
      (await storesHere(context)).map(async (store) => ({
        store: shown(store),
        mails: await withTenant<MailHead[]>(deps.pool, store.id, (db) => readMails(db, store.id, to, latest)),
      })),
    )
    return context.html(listPage(visitorLanguage(context), stores, to))
  })

  const find = async (context: Context) => {
    const { code, id = '' } = context.req.param()
    const store = (await storesHere(context)).find((one) => one.code === code)
    if (!store || !uuid.test(id)) return null
    const mail = await withTenant(deps.pool, store.id, (db) => readMail(db, store.id, id))
    return mail && { store, mail: withLinks(mail, await storeOriginOf(deps, store)) }
  }

  pages.get('/:code/:id', async (context) => {
    const found = await find(context)
    return found
      ? context.html(mailPage(visitorLanguage(context), shown(found.store), found.mail))
      : context.html(missingPage(visitorLanguage(context)), 404)
  })
  pages.get('/:code/:id/html', async (context) => {
    const found = await find(context)
    if (!found) return context.html(missingPage(visitorLanguage(context)), 404)
    // A link leads out of the frame, not into it.
    const framed = found.mail.html.replace('<head>', '<head><base target="_top">')
    return context.html(framed, 200, { 'content-security-policy': mailPolicy })
  })
  return pages
}
