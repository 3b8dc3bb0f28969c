import { html } from 'hono/html'
import type { KeptMail, MailHead } from '#api/db/queries/mails.ts'
import { formatDateTime } from '#contract/dates.ts'
import type { Locale } from '#contract/enumerations.ts'
import { mailboxWords } from './words.ts'

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
