import { defaultProductName } from '~/platform/constants'

/**
 * The page of an address that names no store. It stands alone: without a tenant there are no settings, no language and
 * no layout to draw it with.
 */
export function missingCustomerPage(nonce: string, requestId: string): Response {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex,nofollow">
<title>No store at this address · ${defaultProductName}</title>
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
<h1>There is no store at this address</h1>
<p>The customer code is missing: this address belongs to no store, and no default store is set.</p>
<p>Check the address. If you run this installation, add the address to a store’s domains or set DEFAULT_CUSTOMER_CODE.</p>
<small>Request ${requestId}</small>
</main>
</body>
</html>`
  return new Response(html, {
    status: 400,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  })
}
