import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { visitorLanguage } from '#api/platform/http/request-language.ts'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import { type MailStore, renderMail, withLinks } from '#api/platform/mail/render.ts'
import type { MailTemplate } from '#api/platform/mail/template.ts'
import { locale as localeSchema } from '#contract/enumerations.ts'
import { framedMail, mailboxPage, mailFrame, missingPage } from './mailbox-pages.ts'

type Template = MailTemplate<unknown>

const previews = '/mailbox/previews'

const listPage = (i18n: I18n, templates: readonly Template[], store: MailStore) => {
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
export const createMailPreviews = (
  templates: readonly Template[],
  find: (context: Context) => Promise<{ store: MailStore; origin: string } | null>,
) => {
  const pages = new Hono()
  const templateOf = (context: Context) => templates.find(({ name }) => name === context.req.param('name'))
  const i18nFor = (context: Context) => messagesOf(visitorLanguage(context))
  const missing = (context: Context) => context.html(missingPage(i18nFor(context)), 404)

  pages.get('/', async (context) => {
    const preview = await find(context)
    return preview ? context.html(listPage(i18nFor(context), templates, preview.store)) : missing(context)
  })
  pages.get('/:name', (context) => {
    const template = templateOf(context)
    return template ? context.html(templatePage(i18nFor(context), template)) : missing(context)
  })
  pages.get('/:name/:locale/:sample', async (context) => {
    const [template, found] = [templateOf(context), await find(context)]
    const locale = localeSchema.options.find((one) => one === context.req.param('locale'))
    const sample = template?.samples[Number(context.req.param('sample'))]
    if (!template || !found || !locale || sample === undefined) return missing(context)
    return framedMail(context, withLinks(renderMail(template, found.store, locale, sample), found.origin))
  })
  return pages
}
