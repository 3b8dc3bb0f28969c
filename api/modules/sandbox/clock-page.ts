import { Hono } from 'hono'
import { html } from 'hono/html'
import type { StoreClock } from '#api/platform/clock.ts'
import { visitorLanguage } from '#api/platform/i18n/translations.ts'
import type { Locale } from '#contract/enumerations.ts'

interface ClockWords {
  title: string
  /** By how many days the store is ahead, as a number with one decimal. */
  ahead: (days: string) => string
  same: string
  about: string
  steps: Record<'hour' | 'day' | 'week' | 'month', string>
  passing: string
  day: (done: number, of: number, date: string) => string
  done: string
}

export const clockWords: Record<Locale, ClockWords> = {
  en: {
    title: 'Store clock',
    ahead: (days) => `${days} days ahead of real time.`,
    same: 'Same as real time.',
    about:
      'Move the clock forward to trigger renewals, deadlines, rentals, and reminders. The clock can’t go back. Sessions expire as usual, so sign in again after a month. Skipping many days takes a moment. A fresh demo starts with today’s date.',
    steps: { hour: 'One hour forward', day: 'One day forward', week: 'One week forward', month: '31 days forward' },
    passing: 'Processing each day. Keep this page open.',
    day: (done, of, date) => `Day ${done} of ${of}: ${date}`,
    done: 'Done. Continue',
  },
  ko: {
    title: '스토어 시계',
    ahead: (days) => `실제보다 ${days}일 앞서 있어요.`,
    same: '실제 시간과 같아요.',
    about:
      '시계를 앞으로 옮기면 갱신, 기한, 대여, 알림이 처리돼요. 되돌릴 수는 없어요. 로그인도 그만큼 시간이 지나므로 한 달 뒤에는 다시 로그인해 주세요. 여러 날을 옮기면 시간이 조금 걸려요. 데모를 새로 시작하면 오늘로 돌아와요.',
    steps: { hour: '+1시간', day: '+1일', week: '+1주', month: '+31일' },
    passing: '하루씩 처리하고 있어요. 이 화면을 닫지 마세요.',
    day: (done, of, date) => `${of}일 중 ${done}일째: ${date}`,
    done: '완료. 계속하기',
  },
  ja: {
    title: 'ストアの時刻',
    ahead: (days) => `実際より${days}日進んでいます。`,
    same: '実際の時刻と同じです。',
    about:
      '更新、期限、レンタル、お知らせは、1日ずつすぐに追いつきます。時刻は進むだけで戻らず、ログインも同じだけ経過します。1か月進めたら、もう一度ログインしてください。日数が多いと少し時間がかかります。デモを新しく始めると、今日に戻ります。',
    steps: { hour: '1時間進める', day: '1日進める', week: '1週間進める', month: '31日進める' },
    passing: '期限が来たものを1日ずつ処理しています。このページを開いたままにしてください。',
    day: (done, of, date) => `${of}日中${done}日目：${date}`,
    done: '完了しました。次へ',
  },
  ar: {
    title: 'وقت المتجر',
    ahead: (days) => `متقدّم بمقدار ${days} يوم.`,
    same: 'هو الوقت نفسه كما في كل مكان.',
    about:
      'تتبعه عمليات التجديد والمواعيد والاستئجار والتذكيرات فورًا، يومًا بعد يوم. لا يسير إلا إلى الأمام، وتنتهي جلسات الدخول كما هو معتاد: سجّل الدخول من جديد بعد شهر. الأيام الكثيرة تستغرق لحظة. والعرض الجديد يبدأ من اليوم.',
    steps: { hour: 'تقديم ساعة', day: 'تقديم يوم', week: 'تقديم أسبوع', month: 'تقديم 31 يومًا' },
    passing: 'يُنجز ما حان موعده يومًا بعد يوم. أبقِ هذه الصفحة مفتوحة من فضلك.',
    day: (done, of, date) => `اليوم ${done} من ${of}: ${date}`,
    done: 'تم. متابعة',
  },
}

const day = 86_400_000

const top = (language: Locale) => html`<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex,nofollow" />
    <meta name="color-scheme" content="light dark" />
    <title>${clockWords[language].title}</title>
    <link rel="icon" href="/sandbox/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/sandbox/pay.css" />
  </head>
  <body>
    <main class="message">
      <section class="panel">
        <h1>${clockWords[language].title}</h1>`

const bottom = html`</section></main></body></html>`

/** What time it is for the store, and the ways to move it; `ahead` is in milliseconds. */
export const clockPage = (language: Locale, steps: readonly Step[], now: Date, ahead: number) => {
  const words = clockWords[language]
  return html`${top(language)}
        <p role="status"><time datetime="${now.toISOString()}" dir="ltr">${now.toISOString().slice(0, 16).replace('T', ' ')} UTC</time><br />
          ${ahead === 0 ? words.same : words.ahead((ahead / day).toFixed(1))}</p>
        <p class="hint">${words.about}</p>
        <form method="post" action="/sandbox/clock">
          ${steps.map((step) => html`<button class="pay" name="step" value="${step}">${words.steps[step]}</button> `)}
        </form>
      ${bottom}`
}

export type Step = keyof (typeof clockWords)['en']['steps']

/** The page that grows while time passes, in the parts it is sent in. */
export const passingPage = (language: Locale) => {
  const words = clockWords[language]
  return {
    begin: html`${top(language)}<p class="hint">${words.passing}</p><ol role="log">`,
    day: (done: number, of: number, now: Date) => html`<li>${words.day(done, of, now.toISOString().slice(0, 10))}</li>`,
    end: html`</ol><p role="status"><a href="/sandbox/clock">${words.done}</a></p>${bottom}`,
  }
}

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
