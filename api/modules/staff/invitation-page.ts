import { readFileSync } from 'node:fs'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { html } from 'hono/html'
import * as z from 'zod'
import { pageStart } from '#api/platform/elements.ts'
import { visitorLanguage } from '#api/platform/http/request-facts.ts'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import { apiPages, consolePath, customerBase, headers as headerNames } from '#contract/http.ts'
import { customerCode } from '#contract/ids.ts'
import { problem } from '#contract/problem.ts'
import { staffDeviceToken } from './staff-sessions.ts'

const stylesheet = readFileSync(new URL('./invitation.css', import.meta.url), 'utf8')
const base = apiPages.invitation
const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const linkSchema = z.object({ store: customerCode, key: z.string().min(1).max(200) })
type Link = z.infer<typeof linkSchema>
const formSchema = linkSchema.extend({ name: z.string().default(''), password: z.string() })
const opened = z.object({ email: z.string(), storeName: z.string(), hasAccount: z.boolean() })
const signedIn = z.object({ token: z.string() })

/** The path of an invitation's page, on any host of the installation. */
export const invitationPath = (store: string, key: string): string =>
  `${base}?store=${encodeURIComponent(store)}&key=${encodeURIComponent(key)}`

/** Returns a page of the console that needs no script, such as that of an invitation. */
export const plainPage = (i18n: I18n, title: string, body: unknown) =>
  html`${pageStart(i18n.locale, { title, stylesheet: `${base}/style.css` })}
  <body><main><h1>${title}</h1>${body}</main></body></html>`

const messagePage = (i18n: I18n, title: string, text: string) => plainPage(i18n, title, html`<p>${text}</p>`)

const unavailable = (i18n: I18n) =>
  messagePage(
    i18n,
    i18n._('Invitation not available'),
    i18n._('This invitation has expired, or was already used. Ask for a new one.'),
  )

/** Sets the headers of pages whose addresses hold a key. */
export const protectPlainPages: MiddlewareHandler = async (context, next) => {
  await next()
  context.header('content-security-policy', policy)
  context.header('referrer-policy', 'no-referrer')
  if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store')
}

interface Form {
  link: Link
  invitation: z.infer<typeof opened>
  name: string
  errors: Record<string, string[] | undefined>
}

const errorOf = (errors: Form['errors'], field: string) =>
  errors[field]?.[0] ? html`<p class="error" id="${field}-error">${errors[field][0]}</p>` : ''
const describedBy = (errors: Form['errors'], field: string, hint = '') => {
  if (errors[field]?.[0])
    return html` aria-invalid="true" aria-describedby="${`${field}-error ${hint}`.trim()}" autofocus`
  return hint ? html` aria-describedby="${hint}"` : ''
}

/** What is asked of a new password. The page has no script: its style sheet marks what holds. */
const passwordRules = (i18n: I18n) => html`<div class="hint" id="password-hint">
          <ul>
            <li class="length">${i18n._('At least 8 characters')}</li>
            <li>${i18n._('Not your email address')}</li>
            <li>${i18n._('No password that many people use, such as a word with a few digits')}</li>
          </ul>
          ${i18n._('A few random words are easy to remember and hard to guess.')}
        </div>`

const formPage = (i18n: I18n, { link, invitation, name, errors }: Form) =>
  plainPage(
    i18n,
    invitation.hasAccount
      ? i18n._('Join the staff of {store}', { store: invitation.storeName })
      : i18n._('Create your account for {store}', { store: invitation.storeName }),
    html`<p>${invitation.email}</p>
      <form method="post" action="${base}">
        <input type="hidden" name="store" value="${link.store}" />
        <input type="hidden" name="key" value="${link.key}" />
        <input type="hidden" name="email" value="${invitation.email}" autocomplete="username" />
        ${
          invitation.hasAccount
            ? ''
            : html`<label for="name">${i18n._('Name')}</label>
        <input id="name" name="name" required maxlength="80" autocomplete="name" value="${name}"${describedBy(errors, 'name')} />
        ${errorOf(errors, 'name')}`
        }
        <label for="password">${invitation.hasAccount ? i18n._('Password of your staff account') : i18n._('Choose a password')}</label>
        <input id="password" name="password" type="password" required minlength="8" maxlength="200"
          autocomplete="${invitation.hasAccount ? 'current-password' : 'new-password'}"${describedBy(errors, 'password', invitation.hasAccount ? undefined : 'password-hint')} />
        ${invitation.hasAccount ? '' : passwordRules(i18n)}
        ${errorOf(errors, 'password')}
        <button>${i18n._('Accept invitation')}</button>
      </form>`,
  )

const acceptedPage = (i18n: I18n, store: string) =>
  plainPage(
    i18n,
    i18n._('You have joined the staff of {store}', { store }),
    html`<p>${i18n._('Your account is ready.')}</p>
      <p><a href="${consolePath}">${i18n._('Open the console')}</a></p>`,
  )

interface InvitationDeps<Bindings> {
  /** Calls the API in this process, for the visitor of the page. */
  call: (request: Request, store: string, bindings: Bindings) => Promise<Response>
  /** The store at whose host the page was opened; null without one. */
  storeOf: (request: Request, bindings: Bindings) => Promise<string | null>
}

/** The headers by which the API knows the visitor's address, host, device and language. */
const visitorHeaders = ['accept-language', 'user-agent', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']

/** The headers of the console, which gets the session in a cookie. */
const consoleHeaders = ({ headers }: Request): Record<string, string> => {
  const deviceToken = staffDeviceToken(headers, true) ?? staffDeviceToken(headers, false)
  return {
    [headerNames.console]: '1',
    'sec-fetch-site': 'same-origin',
    ...(deviceToken !== null && { [headerNames.deviceToken]: deviceToken }),
  }
}

/**
 * Creates the page that accepts an invitation to the staff of a store. It calls the procedures of
 * the contract, so that their rules and limits hold. Who accepts it at a host of the store is
 * signed in to its console, with the session that the procedure opens. The form of another site
 * could sign a visitor in to an account that is not theirs: there, and at other hosts, it ends.
 */
export const createInvitationPage = <Bindings extends object>({ call, storeOf }: InvitationDeps<Bindings>) => {
  const pages = new Hono<{ Bindings: Bindings }>()
  type PageContext = Context<{ Bindings: Bindings }>

  const send = (
    { req, env }: PageContext,
    method: string,
    store: string,
    path: string,
    body?: object,
    sent: Record<string, string> = {},
  ) => {
    const headers = new Headers(sent)
    for (const name of visitorHeaders) {
      const value = req.header(name)
      if (value !== undefined) headers.set(name, value)
    }
    if (body) headers.set('content-type', 'application/json')
    const init: RequestInit = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    return call(new Request(new URL(customerBase(store) + path, req.url), init), store, env)
  }

  const check = async (context: PageContext, { store, key }: Link) => {
    const answer = await send(context, 'POST', store, '/staff/invitations/check', { key })
    return answer.ok ? opened.parse(await answer.json()) : null
  }

  pages.use(protectPlainPages)
  pages.get('/style.css', (context) =>
    context.body(stylesheet, 200, {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=300',
    }),
  )
  pages.get('/', async (context) => {
    const i18n = messagesOf(visitorLanguage(context))
    const link = linkSchema.safeParse(context.req.query())
    const invitation = link.success ? await check(context, link.data) : null
    if (!link.success || !invitation) return context.html(unavailable(i18n), 404)
    return context.html(formPage(i18n, { link: link.data, invitation, name: '', errors: {} }))
  })
  pages.post('/', async (context) => {
    const i18n = messagesOf(visitorLanguage(context))
    const form = formSchema.safeParse(await context.req.parseBody().catch(() => ({})))
    const invitation = form.success ? await check(context, form.data) : null
    if (!form.success || !invitation) return context.html(unavailable(i18n), 404)
    const { store, key, name, password } = form.data
    const { raw } = context.req
    const signsIn = raw.headers.get('sec-fetch-site') === 'same-origin' && (await storeOf(raw, context.env)) === store
    const accepted = { key, name, password }
    const headers = signsIn ? consoleHeaders(raw) : {}
    const answer = await send(context, 'POST', store, '/staff/invitations/accept', accepted, headers)
    const content: unknown = await answer.json()
    if (answer.ok) {
      for (const cookie of answer.headers.getSetCookie()) context.header('set-cookie', cookie, { append: true })
      if (signsIn) return context.redirect(consolePath, 303)
      const authorization = `Bearer ${signedIn.parse(content).token}`
      await send(context, 'DELETE', store, '/staff/session', undefined, { authorization })
      return context.html(acceptedPage(i18n, invitation.storeName))
    }
    const { code, errors } = problem.parse(content)
    if (code === 'NOT_FOUND') return context.html(unavailable(i18n), 404)
    const shown = code === 'VALIDATION_FAILED' ? errors : { password: [i18n._('Too many attempts. Try again later.')] }
    const status = code === 'VALIDATION_FAILED' ? 422 : code === 'RATE_LIMITED' ? 429 : 503
    return context.html(formPage(i18n, { link: { store, key }, invitation, name, errors: shown }), status)
  })
  return pages
}
