import { Hono } from 'hono'
import { html } from 'hono/html'
import type { StoreClock } from '#api/store-clock.ts'

const day = 86_400_000
const steps = [
  { value: 'hour', label: 'One hour', milliseconds: 3_600_000 },
  { value: 'day', label: 'One day', milliseconds: day },
  { value: 'week', label: 'One week', milliseconds: 7 * day },
  { value: 'month', label: '31 days', milliseconds: 31 * day },
] as const

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const top = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex,nofollow" />
    <meta name="color-scheme" content="light dark" />
    <title>The store's time</title>
    <link rel="icon" href="/sandbox/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/sandbox/pay.css" />
  </head>
  <body>
    <main class="message">
      <section class="panel">
        <h1>The store's time</h1>`

const page = (now: Date, ahead: number) => html`${top}
        <p role="status"><time datetime="${now.toISOString()}">${now.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>,
          ${ahead === 0 ? 'the same as everywhere' : `${(ahead / day).toFixed(1)} days ahead`}.</p>
        <p class="hint">Renewals, deadlines, rentals and reminders follow it at once, day by day. It goes forward alone, and sessions end as they would: sign in again after a month. Many days take a moment. A fresh demo begins with today.</p>
        <form method="post" action="/sandbox/clock">
          ${steps.map(({ value, label }) => html`<button class="pay" name="step" value="${value}">${label} on</button> `)}
        </form>
      </section>
    </main>
  </body>
</html>`

/**
 * A page that grows while time passes, a line for each day that is done: without script it shows that something happens, and it has no
 * button to press a second time.
 */
const passing = (days: number, pass: (onDay: (now: Date) => void) => Promise<void>): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder()
  let left = false
  return new ReadableStream({
    // Time goes on for the store when nobody looks any more.
    cancel: () => {
      left = true
    },
    start: async (controller) => {
      const write = (text: unknown) => left || controller.enqueue(bytes.encode(String(text)))
      write(
        html`${top}<p class="hint">What comes due is done day by day. Please leave this page open.</p><ol role="log">`,
      )
      let done = 0
      try {
        await pass((now) => write(html`<li>Day ${++done} of ${days}: ${now.toISOString().slice(0, 10)}</li>`))
        write(html`</ol><p role="status"><a href="/sandbox/clock">Done. Go on</a></p></section></main></body></html>`)
        if (!left) controller.close()
      } catch (error) {
        if (!left) controller.error(error)
      }
    },
  })
}

/**
 * A page that moves the store's time, for a demo and for journeys; it is not there in production. `settle` does what has come due,
 * and is run for each day that passes.
 */
export const createClockPage = (clock: StoreClock, settle: () => Promise<void>) => {
  const pages = new Hono()
  pages.use(async (context, next) => {
    await next()
    context.header('content-security-policy', policy)
    context.header('cache-control', 'no-store')
    context.header('referrer-policy', 'no-referrer')
  })
  pages.get('/', (context) => context.html(page(clock.now(), clock.ahead())))
  pages.post('/', async (context) => {
    const from = context.req.header('sec-fetch-site') ?? 'same-origin'
    if (from !== 'same-origin' && from !== 'none') return context.html(page(clock.now(), clock.ahead()), 403)
    const form = await context.req.parseBody().catch((): Record<string, unknown> => ({}))
    const step = steps.find(({ value }) => value === form.step)
    if (!step) return context.html(page(clock.now(), clock.ahead()), 422)
    const days = Math.ceil(step.milliseconds / day)
    const body = passing(days, (onDay) => passTime(clock, step.milliseconds, settle, onDay))
    return context.body(body, 200, { 'content-type': 'text/html; charset=utf-8' })
  })
  return pages
}

/** Lets time pass a day at a time, so that what is due on one day is done before the next begins. */
const passTime = async (
  clock: StoreClock,
  milliseconds: number,
  settle: () => Promise<void>,
  onDay: (now: Date) => void,
) => {
  for (let left = milliseconds; left > 0; left -= day) {
    await clock.move(Math.min(left, day))
    await settle()
    onDay(clock.now())
  }
}
