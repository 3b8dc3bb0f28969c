import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mailTemplates } from '#api/mail-templates.ts'
import { depositExpiredMail } from '#api/modules/billing/mails/payments.ts'
import { passwordChangedMail } from '#api/modules/identity/mails/accounts.ts'
import type { MailTemplate } from '#api/platform/mail/render.ts'
import { renderMail } from '#api/platform/mail/render.ts'
import type { Locale } from '#contract/enumerations.ts'
import { orderCode } from '#contract/ids.ts'
import { plainSettings } from '#tests/support/settings.ts'

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

/**
 * Parses the tags and attributes of a mail as a browser would. `allRead` is false where a `<` is
 * not part of a tag.
 */
const markupOf = (html: string) => {
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

describe('User input in mails', () => {
  const everything: MailTemplate<string> = {
    name: 'everything',
    samples: ['words'],
    content: (input) => ({
      subject: input,
      title: input,
      blocks: [
        { kind: 'text', text: input },
        { kind: 'note', text: input },
        { kind: 'quote', text: `${input}\n${input}` },
        { kind: 'code', label: input, code: input },
        { kind: 'facts', facts: [[input, input]] },
        { kind: 'link', label: input, path: '/faq' },
      ],
    }),
  }

  test.each(scripts)('user input in a mail is escaped: %s', (input) => {
    const settings = plainSettings()
    settings.base.name = `Store ${input}`
    settings.theme.accent = `red;${input}`
    Object.assign(settings.business, { company: input, address: input, phone: input, email: input })
    const { html, text } = renderMail(everything, { code: 'x', settings }, 'en', input)
    const markup = markupOf(html)
    expect(markup.allRead).toBe(true)
    expect([...markup.tags].filter((tag) => !allowedTags.includes(tag))).toEqual([])
    expect([...markup.attributes].filter((name) => !allowedAttributes.includes(name))).toEqual([])
    expect(markup.links).toEqual(['store-origin:/faq'])
    expect(text).toContain(input)
  })
})

test.each(mailTemplates)('$name has the same parts in every language for each of its samples', (template) => {
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

test('every mail template is in the list of templates', async () => {
  const files = globSync('api/modules/*/mails/*.ts')
  const templates = await Promise.all(files.map(async (file) => Object.values(await import(resolve(file)))))
  const names = templates.flat().flatMap((one) => (one && typeof one === 'object' && 'samples' in one ? [one] : []))
  expect(names.length).toBeGreaterThan(15)
  expect(mailTemplates).toHaveLength(names.length)
  expect(new Set(mailTemplates.map(({ name }) => name)).size).toBe(names.length)
})

test('the mail about a changed password has the time in the store’s time zone', () => {
  for (const locale of ['en', 'ko', 'ja', 'ar'] as const) {
    const mail = renderMail(passwordChangedMail, { code: 'x', settings: plainSettings() }, locale, {
      at: '2026-11-21T03:04:05.000Z',
    })
    expect(mail.text).toMatch(/12[:：]04|١٢:٠٤/)
  }
})

test('an order code is isolated in an Arabic mail, and only Korean mails keep words unbroken', () => {
  const render = (locale: 'ko' | 'ja' | 'ar') =>
    renderMail(depositExpiredMail, { code: 'x', settings: plainSettings() }, locale, {
      code: orderCode.parse('20261119-ZPR0NQ'),
      amount: { amount: 999, currency: 'USD' },
    })
  expect(render('ar').subject).toContain('(\u206620261119-ZPR0NQ\u2069)')
  expect(render('ar').html).toContain('<bdi>20261119-ZPR0NQ</bdi>')
  expect(render('ja').subject).toContain('(20261119-ZPR0NQ)')
  expect(render('ko').html).toContain('word-break:keep-all')
  expect(render('ja').html).not.toContain('word-break')
})
