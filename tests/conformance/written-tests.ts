import { readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'

type Node = { type: string; [key: string]: unknown }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/**
 * The titles of all tests a file really runs, as they stand in the source: what is filled in reads
 * `…`. A test that is skipped or only promised is none.
 */
export function titlesIn(file: string): string[] {
  const titles: string[] = []
  const visit = (node: Node) => {
    const title =
      node.type === 'CallExpression' && isTest(node.callee) ? textOf((node.arguments as Node[])[0]) : undefined
    if (title !== undefined) titles.push(title)
    for (const value of Object.values(node)) for (const child of [value].flat()) if (isNode(child)) visit(child)
  }
  visit(parseSync(file, readFileSync(file, 'utf8')).program as unknown as Node)
  return titles
}

/** `test`, `it`, and `test.each(…)`. */
function isTest(callee: unknown): boolean {
  if (!isNode(callee)) return false
  if (callee.type === 'Identifier') return callee.name === 'test' || callee.name === 'it'
  if (callee.type !== 'CallExpression' || !isNode(callee.callee) || callee.callee.type !== 'MemberExpression')
    return false
  const { object, property } = callee.callee as unknown as { object: Node; property: Node }
  return isTest(object) && property.name === 'each'
}

function textOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type !== 'TemplateLiteral') return undefined
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…')
}
