import { html, raw } from 'hono/html'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import { formatDate, formatDateTime } from '#contract/dates.ts'
import { directionOf } from '#contract/direction.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { Money } from '#contract/money.ts'
import { moneyText } from '#contract/money.ts'
import { type SiteSettings, settingsIn } from '#contract/tenancy.ts'

/**
 * The parts of a mail. Every text is plain: the HTML form escapes it and the text form contains it
 * unchanged. A `path` is a path of the store (`/mypages/profile`), and is prefixed with the store's
 * origin when the mail is sent.
 */
export type Block =
  | { kind: 'text'; text: string }
  /** Smaller and lighter than `text`. */
  | { kind: 'note'; text: string }
  /** A code to enter elsewhere. */
  | { kind: 'code'; label: string; code: string }
  | { kind: 'link'; label: string; path: string }
  | { kind: 'facts'; facts: readonly Fact[] }
  /** A text written by a person. */
  | { kind: 'quote'; text: string }

/** A row of a table: label and value. */
export type Fact = readonly [label: string, value: string]

export interface MailContent {
  subject: string
  title: string
  blocks: readonly Block[]
}

/** The content of a mail whose subject is its title. */
export const titled = (title: string, blocks: readonly Block[]): MailContent => ({ subject: title, title, blocks })

/** The formats of a mail, in its language and the store's time zone. */
export interface MailFormats {
  i18n: I18n
  /** The store's name. */
  store: string
  money: (money: Money) => string
  /** Formats the date and time of an ISO 8601 timestamp. */
  dateTime: (iso: string) => string
  day: (iso: string) => string
}

/**
 * A mail: its name in the database, and its content in every language. `content` is a method, so
 * that templates of different data types fit in one list.
 */
export interface MailTemplate<Data> {
  name: string
  /**
   * The validity of the code or link in minutes; absent if nothing expires. An expired mail is
   * not sent again, and staff never see the content.
   */
  validMinutes?: number
  /** Whether the content is erased once it is sent, although it has no code or link. */
  isErased?: true
  /**
   * Whether it is about an account of staff, who may work at several stores. The installation's
   * server sends it, also for a store with a server of its own.
   */
  isAboutStaffAccount?: true
  /** Sample data for the previews, one for each form of the mail. */
  samples: readonly [Data, ...Data[]]
  content(data: Data, formats: MailFormats): MailContent
}

/**
 * Formats amounts and dates as the store's pages do, in the reader's language and the store's time
 * zone.
 */
const createMailFormats = (
  locale: Locale,
  { base: { timeZone, dateFormat } }: SiteSettings,
  store: string,
): MailFormats => ({
  i18n: messagesOf(locale),
  store,
  money: (money) => moneyText(money, locale),
  dateTime: (iso) => formatDateTime(iso, timeZone, dateFormat),
  day: (iso) => formatDate(iso, timeZone, dateFormat),
})

const shape = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i
const fallback = '#1f2430'

const luminance = (hex: string) => {
  const [r = 0, g = 0, b = 0] = (shape.exec(hex) ?? []).slice(1).map((pair) => {
    const channel = Number.parseInt(pair, 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/**
 * Returns the accent colour of a button and the text colour with the better contrast. An invalid
 * colour gives a dark button.
 */
const buttonColours = (accent: string) => {
  const back = shape.test(accent) ? accent : fallback
  const light = luminance(back)
  return { back, front: 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? '#ffffff' : '#000000' }
}

/**
 * A placeholder for the store's origin in a queued mail. Jobs write mails without a request, so the
 * origin is known only when the mail is sent.
 */
const storeOrigin = 'store-origin:'

/** Replaces the placeholder in the links of a mail with the store's origin. */
export const withLinks = <Mail extends { text: string; html: string }>(mail: Mail, origin: string): Mail => ({
  ...mail,
  text: mail.text.replaceAll(`${storeOrigin}/`, `${origin}/`),
  html: mail.html.replaceAll(`href="${storeOrigin}/`, `href="${origin}/`),
})

/**
 * A mail contains its own styles. The policy gives its document an opaque origin and blocks scripts
 * and requests. `rights` are those of the links.
 */
export const mailPolicy = (rights: string) =>
  `default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'self'; sandbox ${rights}`

/** Makes the links of a mail's document open in `target`, outside of its frame. */
export const framedHtml = (html: string, target: '_blank' | '_top') =>
  html.replace('<head>', `<head><base target="${target}">`)

interface Look {
  locale: Locale
  store: string
  /** #rrggbb */
  accent: string
  footer: readonly string[]
}

const font =
  "font-family:-apple-system,'Segoe UI',Roboto,'Apple SD Gothic Neo','Malgun Gothic','Noto Sans',Arial,sans-serif"
const sans = raw(font)
const body = raw(`${font};font-size:16px;line-height:1.6;color:#1f2430`)
const small = raw(`${font};font-size:13px;line-height:1.6;color:#5b6372`)

/** Korean text breaks between words only. Japanese has no spaces to break at. */
const breaking = (locale: Locale) => raw(locale === 'ko' ? 'word-break:keep-all;' : '')

/**
 * Renders a mail as HTML with tables and inline styles, because mail clients support little else.
 * It loads no external resources.
 */
const htmlOf = ({ subject, title, blocks }: MailContent, look: Look): string => {
  const direction = directionOf(look.locale)
  const colours = buttonColours(look.accent)
  const first = blocks.find(({ kind }) => kind === 'link')
  return String(html`<!doctype html>
<html lang="${look.locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${subject}</title>
</head>
<body style="margin:0;padding:0;background:#f3f4f6">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f4f6"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" dir="${direction}" style="${breaking(look.locale)}overflow-wrap:anywhere;max-width:560px;background:#ffffff;border-radius:12px;border-top:4px solid ${colours.back}">
<tr><td style="${sans};padding:24px 32px 0;font-size:15px;font-weight:700;color:#1f2430">${look.store}</td></tr>
<tr><td style="padding:16px 32px 8px"><h1 style="${sans};margin:0;font-size:22px;line-height:1.35;color:#1f2430">${title}</h1></td></tr>
${blocks.map((block) => html`<tr><td style="padding:8px 32px">${blockHtml(block, block === first ? colours : null)}</td></tr>`)}
<tr><td style="padding:24px 32px 28px"><div style="${small};border-top:1px solid #e4e7ec;padding-top:16px">${look.footer.map((line) => html`<div><bdi>${line}</bdi></div>`)}</div></td></tr>
</table>
</td></tr></table>
</body>
</html>
`)
}

/**
 * Renders the lines of a text. Each is escaped and isolated, so that a code or a number keeps its
 * direction in a right-to-left mail.
 */
const lines = (text: string) =>
  text.split('\n').map((line, index) => html`${index > 0 ? raw('<br>') : ''}<bdi>${line}</bdi>`)

const buttonLook = ({ back, front }: ReturnType<typeof buttonColours>) =>
  raw(
    `${font};display:inline-block;padding:12px 22px;border-radius:8px;background:${back};color:${front};font-size:16px;font-weight:600;text-decoration:none`,
  )

/** Renders a block. The first link of a mail is its button. */
const blockHtml = (block: Block, button: ReturnType<typeof buttonColours> | null) => {
  if (block.kind === 'code')
    return html`<div style="${small}">${block.label}</div><div dir="ltr" style="margin:4px 0;padding:14px 20px;border-radius:8px;background:#f3f4f6;text-align:center;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:28px;font-weight:700;letter-spacing:6px;color:#1f2430">${block.code}</div>`
  if (block.kind === 'link') {
    const look = button ? buttonLook(button) : raw(`${body};text-decoration:underline`)
    return html`<a href="${storeOrigin}${block.path}" style="${look}">${block.label}</a>`
  }
  if (block.kind === 'facts')
    return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${block.facts.map(
      ([label, value]) =>
        html`<tr><td style="${small};padding:4px 0;vertical-align:top">${label}</td><td align="end" style="${body};padding:4px 0;padding-inline-start:16px;text-align:end">${lines(value)}</td></tr>`,
    )}</table>`
  if (block.kind === 'quote')
    return html`<div style="${body};border-inline-start:3px solid #d3d8e0;padding-inline-start:14px">${lines(block.text)}</div>`
  return html`<div style="${block.kind === 'note' ? small : body}">${lines(block.text)}</div>`
}

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

/** The settings of the store that a mail shows. */
export interface MailStore {
  code: string
  settings: SiteSettings
}

/** The footer: why the mail was sent, and by whom. */
const footerOf = (i18n: I18n, store: string, { business }: SiteSettings) => {
  const { company, address, phone, email } = business
  return [
    i18n._('You’re receiving this automated email because of your activity at {store}.', { store }),
    [company, address].filter(Boolean).join(' · '),
    [phone, email].filter(Boolean).join(' · '),
  ].filter(Boolean)
}

/** Renders a mail in one language, as HTML and as text. Values of `data` are escaped. */
export const renderMail = <Data>(
  template: MailTemplate<Data>,
  { code, settings: all }: MailStore,
  locale: Locale,
  data: Data,
): RenderedMail => {
  const settings = settingsIn(all, locale)
  const store = settings.base.name ?? code
  const formats = createMailFormats(locale, settings, store)
  const content = template.content(data, formats)
  const footer = footerOf(formats.i18n, store, settings)
  return {
    subject: oneLine(content.subject),
    text: textOf(content, footer),
    html: htmlOf(content, { locale, store, accent: settings.theme.accent, footer }),
  }
}

/** Removes line breaks from a subject, because they would begin another header. */
const oneLine = (text: string) =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 200)

const textOf = ({ title, blocks }: MailContent, footer: readonly string[]) =>
  `${[title, ...blocks.map(blockText), `-- \n${footer.join('\n')}`].join('\n\n')}\n`

const blockText = (block: Block): string => {
  if (block.kind === 'code') return `${block.label}\n\n    ${block.code}`
  if (block.kind === 'link') return `${block.label}:\n${storeOrigin}${block.path}`
  if (block.kind === 'facts') return block.facts.map(([label, value]) => `${label}: ${value}`).join('\n')
  if (block.kind === 'quote') return block.text.replace(/^/gm, '> ')
  return block.text
}
