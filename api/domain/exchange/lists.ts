/** `Films|Short` and `Films > Drama`: a separator that is meant as itself has a backslash before it. */
const split = (text: string, separator: string): string[] => {
  const items = ['']
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!
    const next = text[at + 1]
    if (letter === '\\' && (next === separator || next === '\\')) {
      items[items.length - 1] += next
      at++
    } else if (letter === separator) items.push('')
    else items[items.length - 1] += letter
  }
  return items.map((item) => item.trim()).filter((item) => item !== '')
}

const join = (items: readonly string[], separator: string, glue: string) =>
  items.map((item) => item.replace(/\\/g, '\\\\').replaceAll(separator, `\\${separator}`)).join(glue)

export const readList = (text: string) => split(text, '|')
export const writeList = (items: readonly string[]) => join(items, '|', '|')
/** The names of a category and those above it, from the root. */
export const readPath = (text: string) => split(text, '>')
export const writePath = (names: readonly string[]) => join(names, '>', ' > ')
