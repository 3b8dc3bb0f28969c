import { Hono } from 'hono'
import type { StoreClock } from '#api/store-clock.ts'
import type { Locale } from '#contract/enumerations.ts'
import { visitorLanguage } from '../visitor-language.ts'
import { clockPage, passingPage, type Step } from './page.ts'

const day = 86_400_000
const milliseconds: Record<Step, number> = { hour: 3_600_000, day, week: 7 * day, month: 31 * day }
const steps = Object.keys(milliseconds) as Step[]

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/**
 * A page that grows while time passes, a line for each day that is done: without script it shows that something happens, and it has no
 * button to press a second time.
 */
const passing = (
  language: Locale,
  days: number,
  pass: (onDay: (now: Date) => void) => Promise<void>,
): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder()
  const page = passingPage(language)
  let left = false
  return new ReadableStream({
    // Time goes on for the store when nobody looks any more.
    cancel: () => {
      left = true
    },
    start: async (controller) => {
      const write = (text: unknown) => left || controller.enqueue(bytes.encode(String(text)))
      write(page.begin)
      let done = 0
      try {
        await pass((now) => write(page.day(++done, days, now)))
        write(page.end)
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
  const shown = (language: Locale) => clockPage(language, steps, clock.now(), clock.ahead())
  pages.use(async (context, next) => {
    await next()
    context.header('content-security-policy', policy)
    context.header('cache-control', 'no-store')
    context.header('referrer-policy', 'no-referrer')
  })
  pages.get('/', (context) => context.html(shown(visitorLanguage(context))))
  pages.post('/', async (context) => {
    const language = visitorLanguage(context)
    const from = context.req.header('sec-fetch-site') ?? 'same-origin'
    if (from !== 'same-origin' && from !== 'none') return context.html(shown(language), 403)
    const form = await context.req.parseBody().catch((): Record<string, unknown> => ({}))
    const step = steps.find((one) => one === form.step)
    if (!step) return context.html(shown(language), 422)
    const days = Math.ceil(milliseconds[step] / day)
    const body = passing(language, days, (onDay) => passTime(clock, milliseconds[step], settle, onDay))
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
