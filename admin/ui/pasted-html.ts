import { plainHtml } from './html-text'

/** Inches, points and centimeters of an indent of Word in its steps of half an inch. */
const steps: Readonly<Record<string, number>> = { in: 2, pt: 1 / 36, cm: 2 / 2.54 }

const numbered = /^\(?(\d+|[a-z]|[ivxl]+)[.)]/i
const marked = /^\s*(?:[·•▪§‣◦–-]|o(?=\s{2})|\(?(?:\d+|[a-z]|[ivxl]+)[.)])\s+/i

interface ListEntry {
  level: number
  isNumbered: boolean
  start: number
}

const entryOf = (marker: string, level: number): ListEntry => {
  const number = numbered.exec(marker.trim())?.[1]
  return { level, isNumbered: number !== undefined, start: Number(number) || 1 }
}

/** Removes letters from the beginning of an element. */
const removeStart = (element: Element, length: number): void => {
  let left = length
  const texts = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node && left > 0; node = texts.nextNode()) {
    const text = node.textContent ?? ''
    node.textContent = text.slice(left)
    left -= text.length
  }
}

/** Reads the entry that a paragraph of Word is, and removes its bullet or number. */
const takeEntry = (element: Element): ListEntry | undefined => {
  const style = element.getAttribute('data-style') ?? ''
  const [, ownLevel] = /mso-list:\s*\S+\s+level(\d+)/i.exec(style) ?? []
  if (element.tagName !== 'P') return
  if (ownLevel === undefined && !/^MsoListParagraph/i.test(element.className)) return
  const [, indent, unit = ''] = /margin-left:\s*([\d.]+)(in|pt|cm)/i.exec(style) ?? []
  const level = Number(ownLevel) || Math.max(1, Math.round(Number(indent ?? 0) * (steps[unit.toLowerCase()] ?? 0)))
  const marker = [...element.querySelectorAll('[data-style]')].find((part) =>
    /mso-list:\s*ignore/i.test(part.getAttribute('data-style') ?? ''),
  )
  if (marker) {
    marker.remove()
    return entryOf(marker.textContent ?? '', level)
  }
  const [start] = marked.exec(element.textContent ?? '') ?? []
  if (start === undefined) return ownLevel === undefined ? undefined : entryOf('', level)
  removeStart(element, start.length)
  return entryOf(start, level)
}

/** Word writes the entries of lists as paragraphs with a bullet or a number. */
const makeLists = (page: Document): void => {
  // The list of the entry before with those around it, the outermost first.
  let open: Element[] = []
  for (const paragraph of page.querySelectorAll('p')) {
    const entry = takeEntry(paragraph)
    if (!entry) continue
    if (paragraph.previousElementSibling !== open[0]) open = []
    const tag = entry.isNumbered ? 'OL' : 'UL'
    const level = Math.min(entry.level, open.length + 1)
    open = open.slice(0, level)
    if (open.length === level && open.at(-1)?.tagName !== tag) open.pop()
    if (open.length < level) {
      const list = page.createElement(tag)
      if (entry.isNumbered && entry.start > 1) list.setAttribute('start', String(entry.start))
      const outer = open.at(-1)
      if (outer) outer.lastElementChild?.append(list)
      else paragraph.before(list)
      open.push(list)
    }
    const item = page.createElement('li')
    item.append(...paragraph.childNodes)
    open.at(-1)?.append(item)
    paragraph.remove()
  }
}

/** Whether a picture is of this store, whose address stays. */
const isOfStore = (src: string): boolean => {
  if (src.startsWith('/') && !src.startsWith('//')) return true
  return URL.canParse(src) && new URL(src).origin === location.origin
}

/**
 * Prepares pasted HTML: lists of Word become lists. Pictures of other sites and of the person's
 * computer are left out, except those that `isPresent` says the text has already.
 *
 * @returns whether a picture was left out
 */
export const pastedHtml = (
  html: string,
  isPresent: (src: string) => boolean = () => false,
): { html: string; lacksPicture: boolean } => {
  // Styles say which paragraphs are entries of lists. The document would refuse their own name.
  const renamed = html.replaceAll(/<[a-z][^>]*>/gi, (tag) => tag.replaceAll(/\sstyle(?=\s*=)/gi, ' data-style'))
  const page = new DOMParser().parseFromString(plainHtml(renamed), 'text/html')
  makeLists(page)
  let lacksPicture = false
  for (const picture of page.querySelectorAll('img')) {
    const src = picture.getAttribute('src') ?? ''
    if (isOfStore(src) || isPresent(src)) continue
    picture.remove()
    lacksPicture = true
  }
  return { html: page.body.innerHTML, lacksPicture }
}
