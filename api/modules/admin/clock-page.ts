import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import type { StoreClock } from '#api/platform/clock.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { pageStart } from '#api/platform/elements.ts'
import { visitorLanguage } from '#api/platform/http/request-facts.ts'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'

const steps = ['hour', 'day', 'week', 'month'] as const
type Step = (typeof steps)[number]

const top = (i18n: I18n) => html`${pageStart(i18n.locale, {
  title: i18n._('Store clock'),
  icon: '/sandbox/icon.svg',
  stylesheet: '/sandbox/pay.css',
})}
  <body>
    <main class="message">
      <section class="panel">
        <h1>${i18n._('Store clock')}</h1>`

const bottom = html`</section></main></body></html>`

const stepLabels = (i18n: I18n): Record<Step, string> => ({
  hour: i18n._('One hour forward'),
  day: i18n._('One day forward'),
  week: i18n._('One week forward'),
  month: i18n._('31 days forward'),
})

/** Shows the store's time and the ways to advance it. `ahead` is in milliseconds. */
const clockPage = (i18n: I18n, steps: readonly Step[], now: Date, ahead: number) => {
  const labels = stepLabels(i18n)
  const difference =
    ahead === 0
      ? i18n._('Same as real time.')
      : i18n._('{days} days ahead of real time.', { days: (ahead / dayMilliseconds).toFixed(1) })
  return html`${top(i18n)}
        <p role="status"><time datetime="${now.toISOString()}" dir="ltr">${now.toISOString().slice(0, 16).replace('T', ' ')} UTC</time><br />
          ${difference}</p>
        <p class="hint">${i18n._('Move the clock forward to trigger renewals, deadlines, rentals, and reminders. The clock can’t go back. Sessions expire as usual, so sign in again after a month. Skipping many days takes a moment. A fresh demo starts with today’s date.')}</p>
        <form method="post" action="/sandbox/clock">
          ${steps.map((step) => html`<button class="pay" name="step" value="${step}">${labels[step]}</button> `)}
        </form>
      ${bottom}`
}

/** The page that is streamed while time advances, in parts. */
const progressPage = (i18n: I18n) => ({
  begin: html`${top(i18n)}<p class="hint">${i18n._('Processing each day. Keep this page open.')}</p><ol role="log">`,
  day: (done: number, days: number, now: Date) => {
    const date = now.toISOString().slice(0, 10)
    return html`<li>${i18n._('Day {done} of {days}: {date}', { done, days, date })}</li>`
  },
  end: html`</ol><p role="status"><a href="/sandbox/clock">${i18n._('Done. Continue')}</a></p>${bottom}`,
})

const milliseconds: Record<Step, number> = {
  hour: 3_600_000,
  day: dayMilliseconds,
  week: 7 * dayMilliseconds,
  month: 31 * dayMilliseconds,
}

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/**
 * Streams a page with a line for each completed day. It shows progress without a script and has no
 * button to press twice.
 */
const streamProgressPage = (
  i18n: I18n,
  days: number,
  pass: (onDay: (now: Date) => void) => Promise<void>,
): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder()
  const page = progressPage(i18n)
  let isDisconnected = false
  return new ReadableStream({
    // The store's time continues to advance after the reader disconnects.
    cancel: () => {
      isDisconnected = true
    },
    start: async (controller) => {
      const write = (text: unknown) => isDisconnected || controller.enqueue(bytes.encode(String(text)))
      write(page.begin)
      let done = 0
      try {
        await pass((now) => write(page.day(++done, days, now)))
        write(page.end)
        if (!isDisconnected) controller.close()
      } catch (error) {
        if (!isDisconnected) controller.error(error)
      }
    },
  })
}

/**
 * Creates the page that advances the store's time, for the demo and for tests. It does not exist in
 * production. `settle` processes due work and runs for each day that passes.
 */
export const createClockPage = (clock: StoreClock, settle: () => Promise<void>) => {
  const pages = new Hono()
  const i18nFor = (context: Context) => messagesOf(visitorLanguage(context))
  const shown = (i18n: I18n) => clockPage(i18n, steps, clock.now(), clock.ahead())
  pages.use(async (context, next) => {
    await next()
    context.header('content-security-policy', policy)
    context.header('cache-control', 'no-store')
    context.header('referrer-policy', 'no-referrer')
  })
  pages.get('/', (context) => context.html(shown(i18nFor(context))))
  pages.post('/', async (context) => {
    const i18n = i18nFor(context)
    const from = context.req.header('sec-fetch-site') ?? 'same-origin'
    if (from !== 'same-origin' && from !== 'none') return context.html(shown(i18n), 403)
    const form = await context.req.parseBody().catch((): Record<string, unknown> => ({}))
    const step = steps.find((name) => name === form.step)
    if (!step) return context.html(shown(i18n), 422)
    const days = Math.ceil(milliseconds[step] / dayMilliseconds)
    const body = streamProgressPage(i18n, days, (onDay) => passTime(clock, milliseconds[step], settle, onDay))
    return context.body(body, 200, { 'content-type': 'text/html; charset=utf-8' })
  })
  return pages
}

/**
 * Advances time one day at a time, so that the work due on one day is done before the next starts.
 */
const passTime = async (
  clock: StoreClock,
  milliseconds: number,
  settle: () => Promise<void>,
  onDay: (now: Date) => void,
) => {
  for (let remaining = milliseconds; remaining > 0; remaining -= dayMilliseconds) {
    await clock.move(Math.min(remaining, dayMilliseconds))
    await settle()
    onDay(clock.now())
  }
}
