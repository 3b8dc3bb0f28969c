import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Hono } from 'hono'
import { apiBase } from '#contract/index.ts'
import { describeApi } from './openapi.ts'

const files = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const

const start = `window.addEventListener('load', () => SwaggerUIBundle({
  url: '${apiBase}/openapi.json', dom_id: '#docs', deepLinking: true, displayRequestDuration: true,
  defaultModelsExpandDepth: 0, docExpansion: 'list', syntaxHighlight: { theme: 'agate' },
}))`

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Marquee API</title>
<link rel="icon" type="image/png" href="${apiBase}/docs/favicon-32x32.png">
<link rel="stylesheet" href="${apiBase}/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="${apiBase}/docs/swagger-ui-bundle.js"></script>
<script src="${apiBase}/docs/start.js"></script>
</body>
</html>
`

/** The viewer writes style attributes of its own; scripts come from this origin alone. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const pageHeaders = { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' }

/** OpenAPI 3.1 printed from the contract (by `describe`), and a page to read it; nothing is fetched from elsewhere. */
export const documentation = (describe: () => Promise<unknown> = describeApi) => {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  let description: Promise<unknown> | undefined
  const app = new Hono()
  app.get('/openapi.json', async (context) => {
    // A failure is not kept: the next reader has another try.
    description ??= describe().catch((error: unknown) => {
      description = undefined
      throw error
    })
    return context.json((await description) as object, 200, { 'cache-control': 'no-cache' })
  })
  app.get('/docs', (context) => context.html(page, 200, pageHeaders))
  app.get('/docs/start.js', (context) => context.body(start, 200, { 'content-type': 'text/javascript; charset=utf-8' }))
  app.get('/docs/:file', async (context) => {
    const name = context.req.param('file')
    if (!Object.hasOwn(files, name)) return context.notFound()
    const body = await readFile(join(folder, name))
    const headers = { 'content-type': files[name as keyof typeof files], 'cache-control': 'public, max-age=86400' }
    return context.body(body, 200, headers)
  })
  return app
}
