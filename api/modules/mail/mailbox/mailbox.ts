import { readFileSync } from 'node:fs'
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { findCustomerCodeByHost } from '#api/modules/tenancy/domains.queries.ts'
import { resolveCustomer, storeOriginOf, type TenancyDeps } from '#api/modules/tenancy/stores.ts'
import { readTenants } from '#api/modules/tenancy/tenancy.queries.ts'
import type { Customer } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { pageStart } from '#api/platform/elements.ts'
import { visitorLanguage } from '#api/platform/http/request-facts.ts'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import {
  framedHtml,
  type MailStore,
  type MailTemplate,
  mailPolicy,
  renderMail,
  withLinks,
} from '#api/platform/mail/render.ts'
import { formatDateTime } from '#contract/dates.ts'
import { type Locale, locale as localeSchema, type MailStatus } from '#contract/enumerations.ts'
import { mailId } from '#contract/ids.ts'
import { urlOf } from '#contract/request-url.ts'
import { type MailHead, readMail, readMails, type StoredMail } from '../mail.queries.ts'

const stylesheet = readFileSync(new URL('./mailbox.css', import.meta.url), 'utf8')
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f2544"/><path d="M7 11h18v11H7zM7 11l9 7 9-7" fill="none" stroke="#fff" stroke-width="2" stroke-linejoin="round"/></svg>'

const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
const latest = 100

/** A store, as the mailbox shows it. */
interface StoreView {
  code: string
  name: string
  timeZone: string
}

/** Returns a whole document in the visitor's language, with the mailbox's icon and styles. */
const mailboxPage = (locale: Locale, title: string, body: ReturnType<typeof html>) =>
  html`${pageStart(locale, { title, icon: '/mailbox/icon.svg', stylesheet: '/mailbox/mailbox.css' })}
  <body><main>${body}</main></body>
</html>`

const frameRights = 'allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation'

/** Shows a mail in a sandboxed frame that runs no scripts. */
const mailFrame = (address: string, title: string) => html`<iframe src="${address}" title="${title}" loading="lazy"
      sandbox="${frameRights}"></iframe>`

const row = (i18n: I18n, store: StoreView, mail: MailHead) => html`<li>
    <a href="/mailbox/${store.code}/${mail.id}">
      <span class="subject" lang="${mail.locale}">${mail.subject}</span>
      <span class="about"><span>${i18n._('To {to}', { to: mail.to })}</span><time datetime="${mail.createdAt}">${formatDateTime(mail.createdAt, store.timeZone)}</time></span>
    </a>
  </li>`

/** Lists the mails of each store, newest first. `to` restricts the list to one address. */
const listPage = (i18n: I18n, stores: readonly { store: StoreView; mails: readonly MailHead[] }[], to: string) => {
  const title = i18n._('Mailbox')
  const written = stores.filter(({ mails }) => mails.length > 0)
  const none = to
    ? i18n._('No emails to {to} yet.', { to })
    : i18n._('No emails yet. Sign up at a store and your verification code arrives here.')
  return mailboxPage(
    i18n.locale,
    title,
    html`<h1>${title}</h1>
    <p class="soft">${i18n._('Emails to any recipient. A store’s own address shows the emails of that store.')}</p>
    <form method="get" action="/mailbox" role="search">
      <input type="search" name="to" value="${to}" aria-label="${i18n._('Email address')}" placeholder="${i18n._('Email address, such as member@example.com')}" />
      <button>${i18n._('Show emails')}</button>
    </form>
    ${
      written.length === 0
        ? html`<p class="empty">${none}</p>`
        : written.map(
            ({ store, mails }) => html`<section aria-labelledby="store-${store.code}">
        <h2 id="store-${store.code}">${store.name}</h2>
        <ul class="mails">${mails.map((mail) => row(i18n, store, mail))}</ul>
      </section>`,
          )
    }
    <p><a href="/mailbox/previews">${i18n._('Email previews')}</a></p>`,
  )
}

/** Turns the addresses in a text into links. */
const linked = (text: string) =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part))

const statusText = (i18n: I18n, status: MailStatus) =>
  ({
    QUEUED: i18n._('Waiting to be sent'),
    SENT: i18n._('Sent'),
    FAILED: i18n._('Could not be sent'),
    NOT_SENT: i18n._('Not sent: no mail server is configured'),
  })[status]

/** Shows one mail as a mail client does, and its plain text. */
const mailPage = (i18n: I18n, store: StoreView, mail: StoredMail) =>
  mailboxPage(
    i18n.locale,
    mail.subject,
    html`<p><a href="/mailbox">${i18n._('All emails')}</a></p>
    <h1 lang="${mail.locale}">${mail.subject}</h1>
    <dl>
      <dt>${i18n._('From')}</dt><dd>${store.name}</dd>
      <dt>${i18n._('To')}</dt><dd>${mail.to}</dd>
      <dt>${i18n._('Date')}</dt><dd><time datetime="${mail.createdAt}">${formatDateTime(mail.createdAt, store.timeZone)}</time></dd>
      <dt>${i18n._('Status')}</dt><dd>${statusText(i18n, mail.status)}${mail.failure ? ` (${mail.failure})` : ''}</dd>
    </dl>
    ${mailFrame(`/mailbox/${store.code}/${mail.id}/html`, i18n._('Email as HTML'))}
    <h2>${i18n._('Plain text')}</h2>
    <pre lang="${mail.locale}" dir="auto">${linked(mail.text)}</pre>`,
  )

/** Renders the page for a mail that does not exist. */
const missingPage = (i18n: I18n) =>
  mailboxPage(
    i18n.locale,
    i18n._('Mailbox'),
    html`<h1>${i18n._('Email not found')}</h1><p class="soft">${i18n._('It belongs to another store or was deleted with the recipient’s account.')}</p><p><a href="/mailbox">${i18n._('All emails')}</a></p>`,
  )

/** Responds with the content of a frame: a mail's HTML, whose links open outside the frame. */
const framedMail = (context: Context, { html }: { html: string }) =>
  context.html(framedHtml(html, '_top'), 200, {
    'content-security-policy': mailPolicy(frameRights),
  })

const shown = ({ code, settings }: Customer): StoreView => ({
  code,
  name: settings.base.name ?? code,
  timeZone: settings.base.timeZone,
})

const i18nFor = (context: Context) => messagesOf(visitorLanguage(context))

/**
 * Creates the demo's mailbox. On a store's host it shows that store's mails, on any other host
 * those of all stores. `templates` are shown as previews. It exists only in the demo and in
 * development.
 */
export const createMailbox = (deps: TenancyDeps, templates: readonly MailTemplate<unknown>[]) => {
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

  /** Returns the stores whose mails this request's host may show. */
  const storesHere = async (context: Context): Promise<Customer[]> => {
    const hostCode = await findCustomerCodeByHost(deps.pool, urlOf(context.req.raw).hostname)
    const codes = hostCode ? [hostCode] : (await readTenants(deps.pool)).map(({ code }) => code)
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
    return context.html(listPage(i18nFor(context), stores, to))
  })

  const previewStore = async (context: Context) => {
    const [store] = await storesHere(context)
    return store ? { store, origin: await storeOriginOf(deps, store) } : null
  }
  pages.route('/previews', createMailPreviews(templates, previewStore))

  const find = async (context: Context) => {
    const { code, id: given } = context.req.param()
    const { data: id } = mailId.safeParse(given)
    const store = (await storesHere(context)).find((candidate) => candidate.code === code)
    if (!store || !id) return null
    const mail = await withTenant(deps.pool, store.id, (db) => readMail(db, store.id, id))
    return mail && { store, mail: withLinks(mail, await storeOriginOf(deps, store)) }
  }

  pages.get('/:code/:id', async (context) => {
    const mail = await find(context)
    return mail
      ? context.html(mailPage(i18nFor(context), shown(mail.store), mail.mail))
      : context.html(missingPage(i18nFor(context)), 404)
  })
  pages.get('/:code/:id/html', async (context) => {
    const mail = await find(context)
    if (!mail) return context.html(missingPage(i18nFor(context)), 404)
    return framedMail(context, mail.mail)
  })
  return pages
}

type Template = MailTemplate<unknown>

const previews = '/mailbox/previews'

const previewsPage = (i18n: I18n, templates: readonly Template[], store: MailStore) => {
  const title = i18n._('Email previews')
  return mailboxPage(
    i18n.locale,
    title,
    html`<p><a href="/mailbox">${i18n._('Mailbox')}</a></p>
    <h1>${title}</h1>
    <p class="soft">${i18n._('Every email a store can send, in every language, with sample data.')}</p>
    <ul class="mails">${templates.map(
      (template) => html`<li>
        <a href="${previews}/${template.name}">
          <span class="subject">${renderMail(template, store, i18n.locale, template.samples[0]).subject}</span>
          <span class="about">${template.name}</span>
        </a>
      </li>`,
    )}</ul>`,
  )
}

const templatePage = (i18n: I18n, { name, samples }: Template) =>
  mailboxPage(
    i18n.locale,
    name,
    html`<p><a href="${previews}">${i18n._('Email previews')}</a></p>
    <h1>${name}</h1>
    ${localeSchema.options.map((language) => {
      const label = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
      return html`<h2 lang="${language}">${label}</h2>
      ${samples.map((_, index) => mailFrame(`${previews}/${name}/${language}/${index}`, `${label} ${index + 1}`))}`
    })}`,
  )

/**
 * Renders every mail in every language with sample data, as the store of the request's host sends
 * it. `find` returns that store and its origin, or null if there is none.
 */
const createMailPreviews = (
  templates: readonly Template[],
  find: (context: Context) => Promise<{ store: MailStore; origin: string } | null>,
) => {
  const pages = new Hono()
  const templateOf = (context: Context) => templates.find(({ name }) => name === context.req.param('name'))
  const i18nFor = (context: Context) => messagesOf(visitorLanguage(context))
  const missing = (context: Context) => context.html(missingPage(i18nFor(context)), 404)

  pages.get('/', async (context) => {
    const preview = await find(context)
    return preview ? context.html(previewsPage(i18nFor(context), templates, preview.store)) : missing(context)
  })
  pages.get('/:name', (context) => {
    const template = templateOf(context)
    return template ? context.html(templatePage(i18nFor(context), template)) : missing(context)
  })
  pages.get('/:name/:locale/:sample', async (context) => {
    const [template, found] = [templateOf(context), await find(context)]
    const locale = localeSchema.options.find((language) => language === context.req.param('locale'))
    const sample = template?.samples[Number(context.req.param('sample'))]
    if (!template || !found || !locale || sample === undefined) return missing(context)
    return framedMail(context, withLinks(renderMail(template, found.store, locale, sample), found.origin))
  })
  return pages
}
