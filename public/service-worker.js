/**
 * Serves an offline page for navigations that fail without a network connection. It stores nothing
 * and answers no other requests. The URL it is registered with contains the store's name, language
 * and colours.
 */
const settings = new URL(self.location.href).searchParams

const texts = {
  en: {
    title: 'You’re offline',
    text: 'Check your internet connection. This page will load as soon as you’re back online.',
    again: 'Try again',
    waiting: 'Still offline. We’ll keep trying.',
  },
  ko: {
    title: '오프라인 상태예요',
    text: '인터넷 연결을 확인해 주세요. 다시 연결되면 페이지를 바로 불러올게요.',
    again: '다시 시도',
    waiting: '아직 오프라인 상태예요. 계속 연결을 시도할게요.',
  },
  ja: {
    title: 'オフラインです',
    text: 'インターネット接続をご確認ください。接続が回復すると、ページを自動的に読み込みます。',
    again: '再試行',
    waiting: 'まだオフラインです。引き続き接続を試みます。',
  },
  ar: {
    title: 'أنت غير متصل بالإنترنت',
    text: 'تحقق من اتصالك بالإنترنت. ستُحمَّل هذه الصفحة فور عودة الاتصال.',
    again: 'إعادة المحاولة',
    waiting: 'ما زلت غير متصل. سنواصل المحاولة.',
  },
}

const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const style = `:root{color-scheme:light dark;font-family:system-ui,sans-serif;line-height:1.6}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
body{min-height:100dvh;margin:0;display:grid;grid-template-rows:auto 1fr auto;padding:1.5rem;box-sizing:border-box;background:Canvas;color:CanvasText}
b{font-size:1.125rem}
main{place-self:center;max-width:34rem;text-align:center}
h1{font-size:clamp(1.5rem,5vw,2.25rem);line-height:1.2;margin:0 0 .75rem;word-break:keep-all;overflow-wrap:anywhere}
p{margin:0 0 1.25rem;word-break:keep-all;overflow-wrap:anywhere;text-wrap:balance}
button{font:inherit;font-weight:600;min-height:3rem;padding:.5rem 1.5rem;border:0;border-radius:.625rem;background:CanvasText;color:Canvas;cursor:pointer}
button:focus-visible{outline:3px solid;outline-offset:3px}`

/** Runs in the page: loads the requested page when the store answers again. */
const script = `const said = document.querySelector('[role=status]')
const reachable = () => fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' }).then(() => true, () => false)
let leaving = false
const retry = async () => {
  if (leaving || !(await reachable()) || leaving) return false
  leaving = true
  location.reload()
  return true
}
document.querySelector('button').addEventListener('click', async () => {
  said.textContent = ''
  if (!(await retry())) said.textContent = said.dataset.waiting
})
addEventListener('online', retry)
let pause = 3000
const again = async () => {
  if (document.visibilityState === 'visible' && (await retry())) return
  pause = Math.min(pause * 1.5, 30000)
  setTimeout(again, pause)
}
setTimeout(again, pause)`

const offlinePage = (url) => {
  const language = [url.pathname.split('/', 2)[1], settings.get('language')].find((each) => Object.hasOwn(texts, each))
  const { title, text, again, waiting } = texts[language ?? 'en']
  const nonce = crypto.randomUUID()
  const theme = /^(?:light|dark)$/.test(settings.get('theme') ?? '') ? ` data-theme="${settings.get('theme')}"` : ''
  const name = escaped(settings.get('name') ?? '')
  const html = `<!doctype html>
<html lang="${language ?? 'en'}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"${theme}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${[title, name].filter(Boolean).join(' · ')}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<b>${name}</b>
<main id="main">
<h1>${title}</h1>
<p>${text}</p>
<button type="button">${again}</button>
<p role="status" data-waiting="${waiting}"></p>
</main>
<script nonce="${nonce}">${script}</script>
</body>
</html>
`
  return new Response(html, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': [
        `default-src 'none'`,
        `script-src 'nonce-${nonce}'`,
        `style-src 'nonce-${nonce}'`,
        `connect-src 'self'`,
        `base-uri 'none'`,
        `form-action 'none'`,
        `frame-ancestors 'none'`,
      ].join('; '),
    },
  })
}

self.addEventListener('install', (event) => {
  self.skipWaiting()
  // In browsers with static routing, only navigations reach this worker.
  const passing = ['no-cors', 'cors', 'same-origin'].map((requestMode) => ({
    condition: { requestMode },
    source: 'network',
  }))
  if (event.addRoutes) event.waitUntil(event.addRoutes(passing).catch(() => {}))
})

self.addEventListener('activate', (event) => {
  // The page is requested while this worker starts.
  const preload = self.registration.navigationPreload?.enable().catch(() => {})
  event.waitUntil(Promise.all([preload, self.clients.claim()]))
})

const load = async (event) => {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    return offlinePage(new URL(event.request.url))
  }
}

self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate' && event.request.method === 'GET') event.respondWith(load(event))
})
