import { readFileSync } from 'node:fs'
import { type Context, Hono } from 'hono'
import { html, raw } from 'hono/html'
import { negotiateLanguage } from '#contract/accept-language.ts'
import type { CustomerId } from '#contract/ids.ts'
import { moneyText } from '#contract/money.ts'
import { type BridgeRequest, bridgeBase, readBridge } from './bridge.ts'

interface Words {
  titles: Record<'PAYMENT' | 'CARD', string>
  opening: string
  open: string
  back: string
  blocked: string
  noScript: string
  finishedTitle: string
  finished: string
  missingTitle: string
  missing: string
}

const en: Words = {
  titles: { PAYMENT: 'Pay', CARD: 'Add a card' },
  opening: 'The payment window opens in a moment. You’ll return to the store when you’re done.',
  open: 'Open payment window',
  back: 'Back to store',
  blocked: 'We couldn’t open the payment window. You haven’t been charged. Try again, or go back and try later.',
  noScript: 'Turn on JavaScript to open the payment window, or go back and choose another payment method.',
  finishedTitle: 'This payment is closed',
  finished: 'The payment was completed or closed. See the result in the store.',
  missingTitle: 'Page not found',
  missing: 'The link is incomplete or was changed. Start again from the store.',
}

const ko: Words = {
  titles: { PAYMENT: '결제하기', CARD: '카드 등록' },
  opening: '잠시 후 결제창이 열려요. 완료하면 스토어로 돌아와요.',
  open: '결제창 열기',
  back: '스토어로 돌아가기',
  blocked: '결제창을 열지 못했어요. 결제된 금액은 없어요. 다시 시도하거나 나중에 다시 시도해 주세요.',
  noScript: '결제창을 열려면 자바스크립트를 켜 주세요. 돌아가서 다른 결제 수단을 선택할 수도 있어요.',
  finishedTitle: '이미 처리된 결제예요',
  finished: '결제가 완료됐거나 종료됐어요. 결과는 스토어에서 확인할 수 있어요.',
  missingTitle: '페이지를 찾을 수 없어요',
  missing: '링크가 올바르지 않아요. 스토어에서 다시 시작해 주세요.',
}

const ja: Words = {
  titles: { PAYMENT: 'お支払い', CARD: 'カードの登録' },
  opening: 'まもなく決済ウィンドウが開きます。終わるとストアに戻ります。',
  open: '決済ウィンドウを開く',
  back: 'ストアに戻る',
  blocked: '決済ウィンドウを開けませんでした。請求は発生していません。もう一度試すか、戻って後ほどお試しください。',
  noScript: '決済ウィンドウにはJavaScriptが必要です。このページで許可するか、戻って別の支払い方法を選んでください。',
  finishedTitle: 'このページの処理は終わりました',
  finished: 'お支払いは完了したか、閉じられました。結果はストアで確認できます。',
  missingTitle: 'ページがありません',
  missing: 'アドレスが途中で切れたか、変更されています。ストアからやり直してください。',
}

const ar: Words = {
  titles: { PAYMENT: 'الدفع', CARD: 'إضافة بطاقة' },
  opening: 'تُفتح نافذة الدفع بعد لحظات، ثم تعود إلى المتجر عند الانتهاء.',
  open: 'فتح نافذة الدفع',
  back: 'العودة إلى المتجر',
  blocked: 'تعذّر فتح نافذة الدفع، ولم يُخصم أي مبلغ. أعد المحاولة، أو عُد وحاول لاحقًا.',
  noScript: 'تحتاج نافذة الدفع إلى JavaScript. اسمح به لهذه الصفحة، أو عُد واختر طريقة دفع أخرى.',
  finishedTitle: 'انتهى عمل هذه الصفحة',
  finished: 'اكتملت عملية الدفع أو أُغلقت. يعرض المتجر حالتها.',
  missingTitle: 'لا توجد صفحة كهذه',
  missing: 'العنوان ناقص أو تم تغييره. ابدأ من جديد في المتجر.',
}

const languages = { en, ko, ja, ar }
export type BridgeLanguage = keyof typeof languages
export const bridgeLanguages = Object.keys(languages) as BridgeLanguage[]

export const bridgeLanguage = (locale: string): BridgeLanguage => {
  const language = locale.slice(0, 2)
  return Object.hasOwn(languages, language) ? (language as BridgeLanguage) : 'en'
}

export const bridgeWords = (language: BridgeLanguage): Words => languages[language]

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const [stylesheet, script] = [file('./pay.css'), file('./pay.js')]

export interface PageDeps {
  pageSecret: string
  /** Whether a payment may still be paid, or a card be registered. */
  isOpen: (customerId: CustomerId, reference: string) => Promise<boolean>
}

/** Scripts run from the store and from PortOne, and from a gateway the operator has named: nothing else, and nothing inline. */
const policy = (bridge: BridgeRequest | null) => {
  const origins = bridge ? [new URL(bridge.scriptUrl).origin, ...bridge.gatewayOrigins].join(' ') : ''
  return [
    "default-src 'none'",
    `script-src 'self' ${origins}`.trim(),
    "style-src 'self'",
    // Its window is laid out by style attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: https:",
    `connect-src https://*.portone.io https://*.iamport.co https://*.iamport.kr ${origins}`.trim(),
    `frame-src https: ${origins}`.trim(),
    "form-action 'self' https:",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const shell = (language: BridgeLanguage, title: string, head: unknown, body: unknown) =>
  html`<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex,nofollow" />
    <title>${title}</title>
    <link rel="stylesheet" href="${bridgeBase}/pay.css" />
    ${head}
  </head>
  <body>${body}</body>
</html>`

const bridgePage = (bridge: BridgeRequest) => {
  const language = bridgeLanguage(bridge.locale)
  const words = bridgeWords(language)
  const { kind, request, returnUrl, title } = bridge
  const amount = kind === 'PAYMENT' ? { amount: Number(request.totalAmount), currency: String(request.currency) } : null
  return shell(
    language,
    words.titles[kind],
    html`<script src="${bridge.scriptUrl}" defer></script><script src="${bridgeBase}/pay.js" defer></script>`,
    html`<main data-bridge="${JSON.stringify({ kind, request, returnUrl })}">
      <h1>${words.titles[kind]}</h1>
      ${title ? html`<p class="title">${title}</p>` : ''}
      ${amount ? html`<p class="amount">${moneyText(amount, language)}</p>` : ''}
      <p data-opening>${words.opening}</p>
      <p role="alert" hidden>${words.blocked}</p>
      ${raw('<noscript>')}<p>${words.noScript}</p>${raw('</noscript>')}
      <div class="acts"><button type="button">${words.open}</button><a href="${returnUrl}">${words.back}</a></div>
    </main>`,
  )
}

const messagePage = (language: BridgeLanguage, message: 'finished' | 'missing', back: string) => {
  const words = bridgeWords(language)
  const title = words[`${message}Title`]
  return shell(
    language,
    title,
    '',
    html`<main><h1>${title}</h1><p>${words[message]}</p><div class="acts"><a href="${back}">${words.back}</a></div></main>`,
  )
}

/** The pages on which PortOne's script opens its window, below `/pay/portone`: it has no page of its own to send people to. */
export const createPortOnePages = ({ pageSecret, isOpen }: PageDeps) => {
  const pages = new Hono()
  const asset = (path: string, type: string, body: string) =>
    pages.get(path, (context) =>
      context.body(body, 200, { 'content-type': type, 'cache-control': 'public, max-age=300' }),
    )
  asset('/pay.css', 'text/css; charset=utf-8', stylesheet)
  asset('/pay.js', 'text/javascript; charset=utf-8', script)

  const dress = (context: Context, bridge: BridgeRequest | null) => {
    context.header('content-security-policy', policy(bridge))
    context.header('referrer-policy', 'strict-origin-when-cross-origin')
    context.header('cache-control', 'no-store')
  }

  pages.get('/:encrypted', async (context) => {
    const bridge = readBridge(pageSecret, context.req.param('encrypted'))
    const open = bridge ? await isOpen(bridge.customerId, bridge.reference) : false
    dress(context, open ? bridge : null)
    if (!bridge) {
      const language = negotiateLanguage(context.req.header('accept-language'), bridgeLanguages, 'en')
      return context.html(messagePage(language, 'missing', '/'), 404)
    }
    if (!open) return context.html(messagePage(bridgeLanguage(bridge.locale), 'finished', bridge.returnUrl), 410)
    return context.html(bridgePage(bridge))
  })
  return pages
}
