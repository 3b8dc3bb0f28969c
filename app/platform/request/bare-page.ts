import { defaultProductName } from '~/platform/constants'

interface BarePage {
  status: number
  nonce: string
  requestId: string
  title: string
  lines: readonly string[]
}

/**
 * An English page without layout, for requests without a tenant: there are no settings and no
 * language. `title` and `lines` are HTML.
 */
function barePage({ status, nonce, requestId, title, lines }: BarePage): Response {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex,nofollow">
<title>${title} · ${defaultProductName}</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.6 }
body { min-height: 100dvh; margin: 0; display: grid; place-items: center; padding: 1.5rem; box-sizing: border-box }
main { max-width: 34rem }
h1 { font-size: clamp(1.5rem, 5vw, 2.25rem); line-height: 1.2; letter-spacing: -.02em; margin: 0 0 .75rem }
p { margin: 0 0 .75rem; opacity: .8 }
small { opacity: .65 }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
${lines.map((line) => `<p>${line}</p>`).join('\n')}
<small>Request ${requestId}</small>
</main>
</body>
</html>`
  return new Response(html, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  })
}

/** The page of an address without a store. */
export const missingCustomerPage = (nonce: string, requestId: string): Response =>
  barePage({
    status: 400,
    nonce,
    requestId,
    title: 'There is no store at this address',
    lines: [
      'The customer code is missing: this address belongs to no store, and no default store is set.',
      'Check the address. If you run this installation, add the address to a store’s domains or set DEFAULT_CUSTOMER_CODE.',
    ],
  })

/** The page for a form that was posted from another origin. */
export const foreignPostPage = (nonce: string, requestId: string): Response =>
  barePage({
    status: 403,
    nonce,
    requestId,
    title: 'This form was not sent from this store',
    lines: ['For your safety, nothing was done with it. <a href="">Open the page again</a> and send it from there.'],
  })

/** The page for a request that failed before its store was known. */
export const failedPage = (status: number, nonce: string, requestId: string): Response =>
  barePage({
    status,
    nonce,
    requestId,
    title: `${status} A server error has occurred.`,
    lines: ['This is our fault, not yours. Try again in a moment, or <a href="/">go home</a>.'],
  })
