type Tree = { [name: string]: Tree | string }

const asLists = (value: Tree | string): unknown => {
  if (typeof value === 'string') return value
  const entries = Object.entries(value).map(([name, inner]) => [name, asLists(inner)] as const)
  const isList = entries.length > 0 && entries.every(([name], at) => name === String(at))
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}

/** `line_items[0][quantity]=1` and the like: nested fields of a form, as an object. */
export const readNestedForm = (text: string): Record<string, unknown> => {
  const root: Tree = {}
  for (const [path, value] of new URLSearchParams(text)) {
    const names = path.split(/\[|\]\[|\]/).filter(Boolean)
    const last = names.pop() ?? path
    let at = root
    for (const name of names) {
      const inner = at[name]
      const next = typeof inner === 'object' ? inner : {}
      at[name] = next
      at = next
    }
    at[last] = value
  }
  return asLists(root) as Record<string, unknown>
}
