import { OpenAPIGenerator } from '@orpc/openapi'
import { traverseContractProcedures } from '@orpc/server'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import type { CallMeta } from '#contract/calls/call.ts'
import { apiBase, contract, headers as headerNames, installation } from '#contract/index.ts'
import { problem } from '#contract/problem.ts'
import { uploadPaths } from './upload-paths.ts'

const security = {
  public: [],
  guest: [{}, { guest: [] }, { bearer: [] }],
  member: [{ bearer: [] }],
  operator: [{ operator: [] }],
} as const

const idempotencyKey = {
  name: headerNames.idempotencyKey,
  in: 'header',
  required: true,
  description: 'The same key and body replay the answer; the same key with another body is refused.',
  schema: { type: 'string', maxLength: 200 },
} as const

const failed = {
  description: 'Any failure',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

/** The description of every call: OpenAPI 3.1, printed from the contract, and beside it the uploads. */
export const describeApi = async () => {
  const all = { ...contract, installation }
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] })
  const document = await generator.generate(all, {
    info: {
      title: 'Marquee',
      version: '1',
      description:
        'The customer-scoped API. Amounts are integers in the currency’s minor unit, moments are ISO 8601 in UTC. Every failure has the same payload: `code`, `message`, `errors` by field, and `requestId`.',
    },
    servers: [
      {
        url: `${apiBase}/customers/{customerCode}`,
        variables: { customerCode: { default: 'aurora', description: 'The customer code' } },
      },
    ],
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token that `POST /login` answers' },
        operator: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of the store’s operators, made by the command `operator-token create`',
        },
        guest: { type: 'apiKey', in: 'header', name: headerNames.guestToken, description: 'A guest’s own token' },
      },
    },
    commonSchemas: { Problem: { schema: problem } },
  })

  // What the generator cannot know: who may call, what a write needs, how a failure looks.
  traverseContractProcedures({ router: all, path: [] }, ({ contract: call, path }) => {
    const { route, meta } = call['~orpc']
    const { access, idempotent, scope } = meta as CallMeta
    const item = document.paths?.[route.path ?? '']
    const operation = item?.[(route.method ?? 'GET').toLowerCase() as 'get']
    if (!item || !operation) return
    operation.security = security[access].map((scheme) => ({ ...scheme }))
    operation.responses = { ...operation.responses, default: failed }
    if (scope) {
      const needs = `Needs an operator token with the scope \`${scope}\`.`
      operation.description = operation.description ? `${operation.description} ${needs}` : needs
    }
    if (idempotent) operation.parameters = [...(operation.parameters ?? []), idempotencyKey]
    if (path[0] === 'installation') item.servers = [{ url: apiBase }]
  })
  return { ...document, paths: { ...document.paths, ...uploadPaths } }
}
