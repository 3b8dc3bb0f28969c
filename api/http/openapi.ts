import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { OpenAPIGenerator } from '@orpc/openapi'
import { traverseContractProcedures } from '@orpc/server'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import { Hono } from 'hono'
import { uploadPaths } from '#api/modules/media/upload-paths.ts'
import { metaOf } from '#api/platform/http/procedures.ts'
import { apiBase, headers as headerNames } from '#contract/http.ts'
import { problem } from '#contract/problem.ts'
import { contract, installation } from '#contract/procedures/contract.ts'

const security = {
  public: [],
  guest: [{}, { guest: [] }, { bearer: [] }],
  member: [{ bearer: [] }],
  operator: [{ operator: [] }, { staff: [] }],
  staff: [{ staff: [] }],
} as const

const idempotencyKey = {
  name: headerNames.idempotencyKey,
  in: 'header',
  required: true,
  description:
    'A unique key of this write. A repeated request with the same key and body returns the first response. The same key with another body returns IDEMPOTENCY_KEY_REUSED.',
  schema: { type: 'string', maxLength: 200 },
} as const

const ifMatch = {
  name: headerNames.ifMatch,
  in: 'header',
  required: true,
  description:
    'The `version` that was read. Without it the response is VERSION_MISSING. If the object has changed since, it is VERSION_CONFLICT, with the present version.',
  schema: { type: 'string' },
} as const

const failed = {
  description: 'An error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

/** Returns the OpenAPI 3.1 description of the contract and of the uploads. */
const describeApi = async () => {
  const all = { ...contract, installation }
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] })
  const document = await generator.generate(all, {
    info: {
      title: 'Marquee',
      version: '1',
      description:
        'The customer-scoped API. Amounts are integers in the minor unit of the currency. Times are ISO 8601 in UTC. All errors have the same body: `code`, `message`, `errors` by field, and `requestId`.',
    },
    servers: [
      {
        url: `${apiBase}/customers/{customerCode}`,
        variables: { customerCode: { default: 'aurora', description: 'The code of the customer' } },
      },
    ],
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token that `POST /login` returns' },
        operator: {
          type: 'http',
          scheme: 'bearer',
          description: 'An operator token, created with the command `operator-token create`',
        },
        staff: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of a staff member, which `POST /staff/sessions` returns',
        },
        guest: {
          type: 'apiKey',
          in: 'header',
          name: headerNames.guestToken,
          description: 'The token of a guest, which the API returns in the same header',
        },
      },
    },
    commonSchemas: { Problem: { schema: problem } },
  })

  // Adds what the generator cannot derive: access, required headers and the error payload.
  traverseContractProcedures({ router: all, path: [] }, ({ contract: procedure, path }) => {
    const { route } = procedure['~orpc']
    const { access, idempotent, versioned, permission, secondFactor } = metaOf(procedure)
    const item = document.paths?.[route.path ?? '']
    // All methods of a path have the same type.
    const operation = item?.[(route.method ?? 'GET').toLowerCase() as 'get']
    if (!item || !operation) return
    operation.security = security[access].map((scheme) => ({ ...scheme }))
    operation.responses = { ...operation.responses, default: failed }
    if (permission) {
      const confirmed = secondFactor ? ', and of a person a session confirmed with a second factor' : ''
      const needs = `Requires the permission \`${permission}\`${confirmed}.`
      operation.description = operation.description ? `${operation.description} ${needs}` : needs
    }
    const required = [...(idempotent ? [idempotencyKey] : []), ...(versioned ? [ifMatch] : [])]
    if (required.length > 0) operation.parameters = [...(operation.parameters ?? []), ...required]
    if (path[0] === 'installation') item.servers = [{ url: apiBase }]
  })
  return { ...document, paths: { ...document.paths, ...uploadPaths } }
}

const files = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
])

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

/** The viewer sets style attributes. Scripts are allowed from this origin only. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const pageHeaders = { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' }

/**
 * Serves the OpenAPI 3.1 document (from `describe`) and a page to read it. The page loads no
 * external resources.
 */
export const documentation = (describe: () => Promise<unknown> = describeApi) => {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  let description: ReturnType<typeof describe> | undefined
  const app = new Hono()
  app.get('/openapi.json', async (context) => {
    // A failure is not cached, so that the next request tries again.
    description ??= describe().catch((error: unknown) => {
      description = undefined
      throw error
    })
    return context.json(await description, 200, { 'cache-control': 'no-cache' })
  })
  app.get('/docs', (context) => context.html(page, 200, pageHeaders))
  app.get('/docs/start.js', (context) => context.body(start, 200, { 'content-type': 'text/javascript; charset=utf-8' }))
  app.get('/docs/:file', async (context) => {
    const name = context.req.param('file')
    const contentType = files.get(name)
    if (!contentType) return context.notFound()
    const body = await readFile(join(folder, name))
    const headers = { 'content-type': contentType, 'cache-control': 'public, max-age=86400' }
    return context.body(body, 200, headers)
  })
  return app
}
