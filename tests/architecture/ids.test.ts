import { globSync, readFileSync } from 'node:fs'
import { type FormalParameter, type ParamPattern, parseSync, type TSType, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

/** Names that hold text of others, which has no kind of our own. */
const foreign = new Map([
  ['requestId', 'any text that a proxy sends to relate lines of logs'],
  ['eventId', 'the id of an event at its payment provider'],
  ['event_id', 'the column of eventId'],
  ['depositId', 'the id of a deposit at its payment provider'],
  ['storeId', 'the id of a merchant at PortOne'],
  ['client_reference_id', 'a field of Stripe'],
  ['operationId', 'a name in the OpenAPI description'],
  ['credentialId', 'the id of a passkey, which its authenticator chooses'],
  ['credential_id', 'the column of credentialId'],
  ['rpId', 'a field of WebAuthn'],
  ['fieldsId', 'the id of an HTML element'],
  ['formId', 'the id of an HTML element'],
  ['buttonId', 'the id of an HTML element'],
])
/** Their rows have ids of any kind: the table is a parameter. */
const ofAnyTable = [
  'api/modules/import-export/tables/import-export.queries.ts',
  // The position of a row in a list.
  'api/platform/platform.queries.ts',
]

const isIdName = (name: string) => /[a-z]Ids?$|_ids?$/.test(name) && !foreign.has(name)
/** In queries, plain names count too. */
const isQueryIdName = (name: string) => isIdName(name) || /^ids?$/.test(name)

const holdsString = (type: TSType | undefined): boolean => {
  switch (type?.type) {
    case 'TSStringKeyword':
      return true
    case 'TSUnionType':
      return type.types.some(holdsString)
    case 'TSArrayType':
      return holdsString(type.elementType)
    case 'TSTypeOperator':
    case 'TSParenthesizedType':
      return holdsString(type.typeAnnotation)
    case 'TSTypeReference':
      return type.typeArguments?.params.some(holdsString) ?? false
    default:
      return false
  }
}

const nameOf = (key: object) => ('name' in key ? String(key.name) : 'value' in key ? String(key.value) : '')

/** The names of ids that are plain strings: parameters, properties, columns and Zod schemas. */
const plainIdsIn = (file: string, text: string): string[] => {
  const names: string[] = []
  const isId = file.endsWith('.queries.ts') && !ofAnyTable.includes(file) ? isQueryIdName : isIdName
  const check = (name: string, type: TSType | undefined) => {
    if (isId(name) && holdsString(type)) names.push(name)
  }
  const checkParams = ({ params }: { params: (ParamPattern | FormalParameter)[] }) => {
    for (const parameter of params) {
      const param = parameter.type === 'AssignmentPattern' ? parameter.left : parameter
      if (param.type === 'Identifier') check(param.name, param.typeAnnotation?.typeAnnotation)
    }
  }
  new Visitor({
    FunctionDeclaration: checkParams,
    FunctionExpression: checkParams,
    ArrowFunctionExpression: checkParams,
    TSFunctionType: checkParams,
    TSMethodSignature: checkParams,
    TSPropertySignature: ({ key, typeAnnotation }) => check(nameOf(key), typeAnnotation?.typeAnnotation),
    PropertyDefinition: ({ key, typeAnnotation }) => check(nameOf(key), typeAnnotation?.typeAnnotation),
    VariableDeclarator({ id }) {
      if (id.type === 'Identifier') check(id.name, id.typeAnnotation?.typeAnnotation)
    },
    Property({ key, value }) {
      const source = text.slice(value.start, value.end)
      const column = file.endsWith('.schema.ts') ? (/^(?:uuid|text)\('(\w+)'\)/.exec(source)?.[1] ?? '') : ''
      const isPlainSchema = isIdName(nameOf(key)) && /^z\b[\s\S]*\bz?\.(?:string|uuid)\(/.test(source)
      if (isPlainSchema || (isIdName(column) && !source.includes('.$type<'))) names.push(nameOf(key))
    },
  }).visit(parseSync(file, text).program)
  return names
}

test('ids that are plain strings are found', () => {
  const idsIn = (text: string, file = 'x.ts') => plainIdsIn(file, text)
  expect(idsIn('const f = (orderId: string, memberId: MemberId) => 1')).toEqual(['orderId'])
  expect(idsIn('function f(lessonId: string | null, videoIds: readonly string[]) {}')).toEqual(['lessonId', 'videoIds'])
  expect(idsIn('interface A { playId: Set<string>; requestId: string; byId: Map<PlayId, A> }')).toEqual(['playId'])
  expect(
    idsIn("const t = { orderId: uuid('order_id').notNull(), a: uuid('a_id').$type<AId>() }", 'x.schema.ts'),
  ).toEqual(['orderId'])
  expect(idsIn('const s = z.object({ planId: z.uuid(), orderId })')).toEqual(['planId'])
  expect(idsIn('const f = (id: string) => 1')).toEqual([])
  expect(idsIn('const f = (id: string) => 1', 'x.queries.ts')).toEqual(['id'])
})

const files = globSync('{app,admin,contract,api,server,cli}/**/*.{ts,tsx}').filter(
  (file) => !/\.test\.tsx?$|routeTree\.gen/.test(file),
)

test('ids have the type of their kind', () => {
  const plainIds = files.flatMap((file) =>
    plainIdsIn(file, readFileSync(file, 'utf8')).map((name) => `${file} ${name}`),
  )
  expect(plainIds).toEqual([])
})

/** Their values are not a list of ours. */
const openColumns = new Map([
  ['pages type', 'the last part of a page’s address, as the store chooses'],
  ['provider_events type', 'the kind of an event at its payment provider'],
])

test('columns of states and kinds list their values', () => {
  const faults = files
    .filter((file) => file.endsWith('.schema.ts'))
    .flatMap((file) => {
      const tables = readFileSync(file, 'utf8')
        .split(/pgTable\(\s*'/)
        .slice(1)
      return tables.flatMap((table) =>
        [...table.matchAll(/: text\('(\w*(?:status|state|type|kind|access|outcome|step|source|method))'\)(.*)/g)]
          .filter(([, column, rest]) => !rest?.startsWith('.$type<') && column !== 'content_type')
          .map(([, column]) => `${table.slice(0, table.indexOf("'"))} ${column}`),
      )
    })
  expect(faults.sort()).toEqual([...openColumns.keys()].sort())
})

test('columns of codes have the type of their kind', () => {
  const faults = files
    .filter((file) => file.endsWith('.schema.ts'))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/: text\('((?:\w+_)?code)'\)(.*)/g)]
        .filter(([, , rest]) => !rest?.startsWith('.$type<'))
        .map(([, column]) => `${file} ${column}`),
    )
  expect(faults).toEqual([])
})
