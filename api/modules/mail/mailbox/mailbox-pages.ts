import type { Context } from 'hono'
import { html } from 'hono/html'
import { pageStart } from '#api/platform/elements.ts'
import type { I18n } from '#api/platform/i18n/messages.ts'
import { framedHtml, mailPolicy } from '#api/platform/mail/render.ts'
import { formatDateTime } from '#contract/dates.ts'
import type { Locale, MailStatus } from '#contract/enumerations.ts'
import type { MailHead, StoredMail } from '../mail.queries.ts'

/** A store, as the mailbox shows it. */
export interface StoreView {
  code: string
  name: string
  timeZone: string
}

/** Returns a whole document in the visitor's language, with the mailbox's icon and styles. */
export const mailboxPage = (locale: Locale, title: string, body: ReturnType<typeof html>) =>
  html`${pageStart(locale, { title, icon: '/mailbox/icon.svg', stylesheet: '/mailbox/mailbox.css' })}
  <body><main>${body}</main></body>
</html>`

const frameRights = 'allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation'

/** Shows a mail in a sandboxed frame that runs no scripts. */
export const mailFrame = (
  address: string,
  title: string,
) => html`<iframe src="${address}" title="${title}" loading="lazy"
      sandbox="${frameRights}"></iframe>`

const row = (i18n: I18n, store: StoreView, mail: MailHead) => html`<li>
    <a href="/mailbox/${store.code}/${mail.id}">
      <span class="subject" lang="${mail.locale}">${mail.subject}</span>
      <span class="about"><span>${i18n._('To {to}', { to: mail.to })}</span><time datetime="${mail.createdAt}">${formatDateTime(mail.createdAt, store.timeZone)}</time></span>
    </a>
  </li>`

/** Lists the mails of each store, newest first. `to` restricts the list to one address. */
export const listPage = (
  i18n: I18n,
  stores: readonly { store: StoreView; mails: readonly MailHead[] }[],
  to: string,
) => {
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
export const mailPage = (i18n: I18n, store: StoreView, mail: StoredMail) =>
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
export const missingPage = (i18n: I18n) =>
  mailboxPage(
    i18n.locale,
    i18n._('Mailbox'),
    html`<h1>${i18n._('Email not found')}</h1><p class="soft">${i18n._('It belongs to another store or was deleted with the recipient’s account.')}</p><p><a href="/mailbox">${i18n._('All emails')}</a></p>`,
  )

/** Responds with the content of a frame: a mail's HTML, whose links open outside the frame. */
export const framedMail = (context: Context, { html }: { html: string }) =>
  context.html(framedHtml(html, '_top'), 200, {
    'content-security-policy': mailPolicy(frameRights),
  })
