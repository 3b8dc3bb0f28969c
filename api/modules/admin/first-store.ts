import { timingSafeEqual } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import type pg from 'pg'
import * as z from 'zod'
import { plainPage, protectPlainPages } from '#api/modules/staff/invitation-page.ts'
import { refusedValue } from '#api/modules/tenancy/check-settings.ts'
import type { Ctx } from '#api/platform/context.ts'
import { secretFor } from '#api/platform/crypto.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { requestIdOf, visitorLanguage } from '#api/platform/http/request-facts.ts'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import { locale } from '#contract/enumerations.ts'
import { apiPages } from '#contract/http.ts'
import { customerCode } from '#contract/ids.ts'
import { staffInvite } from '#contract/staff.ts'
import { currencyChoices, zoneChoices } from '#contract/store-choices.ts'
import { isHost } from '#contract/web-addresses.ts'
import { hasStore, lockFirstStore } from './admin.queries.ts'
import { createOwnedStore } from './store-lifecycle.ts'

const base = apiPages.setUp

/** Runs work in a transaction of the role that owns the tables: only it may create stores. */
export type AsOwner = <Answer>(work: (db: TenantDb) => Promise<Answer>) => Promise<Answer>

export interface FirstStoreDeps extends Pick<Ctx, 'clock' | 'log' | 'events'> {
  pool: pg.Pool
  secret: string
  /** Null where the service does not know the owner’s role. There is no page then. */
  asOwner: AsOwner | null
}

/**
 * Returns the path of the page that creates the first store. Its key is the same in all processes
 * and after a restart; nobody can guess it.
 */
export const firstStorePath = (secret: string): string => `${base}?key=${secretFor(secret, 'first store')}`

const form = z.object({
  name: z.string().trim().min(1).max(100),
  code: customerCode,
  locale,
  currency: z.string().refine((value) => refusedValue('base.currency', value) === null),
  timeZone: z.string().refine((value) => refusedValue('base.timeZone', value) === null),
  email: staffInvite.shape.email,
})
type Form = z.output<typeof form>
type Typed = Partial<Record<keyof Form, string>>

/**
 * Creates the store and the invitation of its owner. The store is found at `host`.
 *
 * @returns the path of the invitation's page; null if the installation has a store already
 */
const createFirstStore = (
  { asOwner, clock, log, events }: FirstStoreDeps & { asOwner: AsOwner },
  { name, code, locale, currency, timeZone, email }: Form,
  { host, requestId }: { host: string; requestId: string },
): Promise<string | null> =>
  asOwner(async (db) => {
    if (!(await lockFirstStore(db))) return null
    const store = { name, code, locale, currency, timeZone, email, hosts: [host] }
    return (await createOwnedStore({ db, clock, log, requestId, events }, 'admin:set-up', store)).path
  })

const noteOf = (i18n: I18n) => ({
  exists: plainPage(
    i18n,
    i18n._('There is a store already'),
    html`<p>${i18n._('This page creates the first store of an installation. Sign in at the address of the store, or ask the person who runs it for an invitation.')}</p>`,
  ),
  wrongHost: plainPage(
    i18n,
    i18n._('Open this page at another address'),
    html`<p>${i18n._('Visitors will find the store at the address of this page, so it must be a domain name or localhost. Replace the number in the address with it.')}</p>`,
  ),
  wrongKey: plainPage(
    i18n,
    i18n._('Link not valid'),
    html`<p>${i18n._('Use the link that the service wrote to its log when it started.')}</p>`,
  ),
})

const errorsOf = (i18n: I18n): Record<keyof Form, string> => ({
  name: i18n._('Enter a name of at most 100 characters.'),
  code: i18n._('Use at most 40 lower case letters, digits and hyphens, for example acme.'),
  locale: i18n._('Choose a language.'),
  currency: i18n._('Choose a currency.'),
  timeZone: i18n._('Choose a time zone.'),
  email: i18n._('Enter an email address, for example mina@example.com.'),
})

/** Where most stores of a language are. */
const places: Partial<Record<Form['locale'], { currency: string; timeZone: string }>> = {
  ko: { currency: 'KRW', timeZone: 'Asia/Seoul' },
  ja: { currency: 'JPY', timeZone: 'Asia/Tokyo' },
}

const optionsOf = (values: readonly string[], chosen: string | undefined, nameOf: (value: string) => string) =>
  values.map((value) => html`<option value="${value}"${value === chosen ? ' selected' : ''}>${nameOf(value)}</option>`)

const formPage = (
  i18n: I18n,
  { key, host, typed, wrong }: { key: string; host: string; typed: Typed; wrong: Set<PropertyKey> },
) => {
  const errors = errorsOf(i18n)
  const currencyNames = new Intl.DisplayNames([i18n.locale], { type: 'currency' })
  const chosen: Typed = {
    locale: i18n.locale,
    ...(places[i18n.locale] ?? { currency: 'USD', timeZone: 'UTC' }),
    ...typed,
  }
  const describedBy = (field: keyof Form) =>
    wrong.has(field) ? html` aria-invalid="true" aria-describedby="${field}-error"` : ''
  const errorOf = (field: keyof Form) =>
    wrong.has(field) ? html`<p class="error" id="${field}-error">${errors[field]}</p>` : ''
  const select = (field: keyof Form, label: string, options: unknown) => html`<label for="${field}">${label}</label>
        <select id="${field}" name="${field}"${describedBy(field)}${typed[field] === undefined ? html` data-is-open` : ''}>${options}</select>${errorOf(field)}`
  return plainPage(
    i18n,
    i18n._('Create your store'),
    html`<p>${i18n._('Visitors will find it at {host}. You can add domains later. Until you open the store, they see a coming-soon page.', { host })}</p>
      <form method="post" action="${base}">
        <input type="hidden" name="key" value="${key}" />
        <label for="name">${i18n._('Name of the store')}</label>
        <input id="name" name="name" required maxlength="100" value="${chosen.name ?? ''}"${describedBy('name')} />${errorOf('name')}
        <label for="code">${i18n._('Code')}</label>
        <input id="code" name="code" required maxlength="40" autocapitalize="none" spellcheck="false" value="${chosen.code ?? ''}"
          aria-describedby="code-hint${wrong.has('code') ? ' code-error' : ''}"${wrong.has('code') ? ' aria-invalid="true"' : ''} />${errorOf('code')}
        <p class="hint" id="code-hint">${i18n._('Names the store in the API and in commands, for example acme. It cannot be changed later.')}</p>
        ${select(
          'locale',
          i18n._('Language'),
          optionsOf(
            locale.options,
            chosen.locale,
            (value) => new Intl.DisplayNames([value], { type: 'language' }).of(value) ?? value,
          ),
        )}
        ${select(
          'currency',
          i18n._('Currency of all prices'),
          optionsOf(currencyChoices(), chosen.currency, (value) => `${value} ${currencyNames.of(value)}`),
        )}
        <p class="hint">${i18n._('It can be changed until there is a product or a plan.')}</p>
        ${select(
          'timeZone',
          i18n._('Time zone'),
          optionsOf(zoneChoices(), chosen.timeZone, (value) => value.replaceAll('_', ' ')),
        )}
        <label for="email">${i18n._('Your email address')}</label>
        <input id="email" name="email" type="email" required maxlength="254" autocomplete="email" value="${chosen.email ?? ''}"${describedBy('email')} />${errorOf('email')}
        <button>${i18n._('Create the store')}</button>
      </form>
      <script src="${base}/suggestions.js" defer></script>`,
  )
}

/**
 * Chooses the zone of the browser, and suggests the code by the name until somebody types one. The
 * form works without it.
 */
const suggestions = `const field = (id) => document.getElementById(id)
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const zones = field('timeZone')
if ('isOpen' in zones.dataset && [...zones.options].some(({ value }) => value === zone)) zones.value = zone
const [name, code] = [field('name'), field('code')]
let isTyped = code.value !== ''
code.addEventListener('input', () => { isTyped = code.value !== '' })
name.addEventListener('input', () => {
  if (isTyped) return
  const plain = name.value.normalize('NFKD').replace(/\\p{M}/gu, '').toLowerCase()
  code.value = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 40).replace(/-$/, '')
})
`

/**
 * Creates the page on which the first store of an installation is created. Its link holds a key
 * that only the service's log tells. The owner continues at the page of the invitation.
 */
export const createFirstStorePage = (deps: FirstStoreDeps & { asOwner: AsOwner }) => {
  const pages = new Hono()
  const key = secretFor(deps.secret, 'first store')
  const hasKey = (given = '') =>
    Buffer.byteLength(given) === key.length && timingSafeEqual(Buffer.from(given), Buffer.from(key))
  /** Returns why the form cannot be shown; null if it can. */
  const refusal = async (context: Context, given: string | undefined) => {
    const notes = noteOf(messagesOf(visitorLanguage(context)))
    if (!hasKey(given)) return context.html(notes.wrongKey, 404)
    if (await hasStore(deps.pool)) return context.html(notes.exists, 409)
    return isHost(new URL(context.req.url).hostname) ? null : context.html(notes.wrongHost, 400)
  }
  pages.use(protectPlainPages)
  pages.get('/suggestions.js', (context) =>
    context.body(suggestions, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  )
  pages.get('/', async (context) => {
    const i18n = messagesOf(visitorLanguage(context))
    const refused = await refusal(context, context.req.query('key'))
    if (refused) return refused
    return context.html(formPage(i18n, { key, host: new URL(context.req.url).host, typed: {}, wrong: new Set() }))
  })
  pages.post('/', async (context) => {
    const i18n = messagesOf(visitorLanguage(context))
    const typed = z
      .record(z.string(), z.string())
      .catch({})
      .parse(await context.req.parseBody().catch(() => ({})))
    const refused = await refusal(context, typed.key)
    if (refused) return refused
    const { host, hostname } = new URL(context.req.url)
    const parsed = form.safeParse(typed)
    if (!parsed.success) {
      const wrong = new Set(parsed.error.issues.map(({ path }) => path[0] ?? ''))
      return context.html(formPage(i18n, { key, host, typed, wrong }), 422)
    }
    const place = { host: hostname, requestId: requestIdOf(context.req.raw.headers) }
    const path = await createFirstStore(deps, parsed.data, place)
    return path ? context.redirect(path, 303) : context.html(noteOf(i18n).exists, 409)
  })
  return pages
}
