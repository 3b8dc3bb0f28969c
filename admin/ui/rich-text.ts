import { Editor, Node as EditorNode, type EditorOptions } from '@tiptap/core'
import StarterKit from '@tiptap/starter-kit'
import { richTextAttributes, richTextTags } from '#contract/rich-text.ts'
import { captionNodes, tidyCaptions } from './caption-nodes'
import { plainHtml } from './html-text'
import { pastedHtml } from './pasted-html'
import { tableNodes, tidyTable } from './table-nodes'

/** A picture among the words of a paragraph. */
const Picture = EditorNode.create({
  name: 'picture',
  group: 'inline',
  inline: true,
  draggable: true,
  addAttributes: () => Object.fromEntries(['src', 'alt', 'width', 'height'].map((name) => [name, { default: null }])),
  parseHTML: () => [{ tag: 'img[src]' }],
  renderHTML: ({ HTMLAttributes }) => ['img', HTMLAttributes],
})

/** What the visual editor can write: fewer tags than the store shows. */
const extensions = [
  Picture,
  ...tableNodes,
  ...captionNodes,
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    codeBlock: false,
    link: {
      openOnClick: false,
      autolink: true,
      defaultProtocol: 'https',
      protocols: ['mailto', 'tel'],
      // The sanitizer of the store adds its own.
      HTMLAttributes: { target: null, rel: null },
    },
  }),
]

/** Pictures of the text as it is. */
const hasPicture = ({ state }: Editor, src: string): boolean => {
  let found = false
  state.doc.descendants(({ type, attrs }) => {
    if (type.name === 'picture' && attrs.src === src) found = true
    return !found
  })
  return found
}

interface EditorInput extends Pick<EditorOptions, 'element' | 'onUpdate' | 'onTransaction'> {
  html: string
  /** Called when a picture was left out of what is pasted. */
  onPictureLeftOut: () => void
}

/** Opens the visual editor. The console has its styles. */
export const openEditor = ({ html, onPictureLeftOut, ...options }: Partial<EditorInput>): Editor => {
  const editor = new Editor({
    ...options,
    content: plainHtml(html ?? ''),
    extensions,
    injectCSS: false,
    editorProps: {
      transformPastedHTML: (given) => {
        const pasted = pastedHtml(given, (src) => hasPicture(editor, src))
        if (pasted.lacksPicture) onPictureLeftOut?.()
        return pasted.html
      },
    },
  })
  return editor
}

/**
 * The HTML of an editor as it is stored: a line for each block, entries of lists without
 * paragraphs.
 */
export const storedHtml = (editor: Editor): string => {
  if (editor.isEmpty) return ''
  const page = new DOMParser().parseFromString(editor.getHTML(), 'text/html')
  for (const entry of page.querySelectorAll('li')) {
    const [first] = entry.children
    if (first?.tagName === 'P' && entry.querySelectorAll(':scope > p').length === 1)
      first.replaceWith(...first.childNodes)
  }
  tidyCaptions(page)
  for (const table of page.querySelectorAll('table')) tidyTable(table)
  // An empty line at the end is where one goes on typing.
  while (page.body.lastElementChild?.tagName === 'P' && page.body.lastElementChild.childNodes.length === 0)
    page.body.lastElementChild.remove()
  return [...page.body.children].map(({ outerHTML }) => outerHTML).join('\n')
}

const sameAs: Readonly<Record<string, string>> = { b: 'strong', i: 'em', h1: 'h2' }
const inline = new Set(['strong', 'em', 'u', 's', 'code', 'sub', 'sup', 'a'])
const dropped = new Set(['script', 'style', 'template', 'textarea', 'option', 'noscript'])

/** Attributes that the store adds or that are without effect. */
const addedAttributes = new Set(['rel', 'loading', 'scope'])

/** Attributes that say nothing where they are 1. */
const usuallyOne = new Set(['start', 'colspan', 'rowspan'])

/** The parts of a table look the same, whichever its rows are in. */
const unseen = new Set(['thead', 'tbody'])

const nameOf = (element: Element, tag: string) => {
  const attributes = (richTextAttributes[tag] ?? [])
    .filter((name) => !addedAttributes.has(name))
    .flatMap((name) => {
      const value = element.getAttribute(name)
      return value === null || (usuallyOne.has(name) && value === '1') ? [] : [`${name}=${value}`]
    })
  return [tag, ...attributes].join(' ')
}

/**
 * Returns what visitors see of HTML in a form that is equal for equal texts, however it is written:
 * without what the store does not show, with the formats of each text in a fixed order.
 */
export const comparableHtml = (html: string): string => {
  const parts: { formats: string; text: string }[] = []
  const add = (text: string, formats: string) => {
    const last = parts.at(-1)
    if (last && last.formats === formats) last.text += text
    else parts.push({ formats, text })
  }
  const tag = (text: string) => {
    if (text) parts.push({ formats: '<>', text })
  }
  const walk = (node: Node, formats: readonly string[]): void => {
    if (node.nodeType === Node.TEXT_NODE) {
      add((node.textContent ?? '').replaceAll(/\s+/g, ' '), formats.toSorted().join(' '))
      return
    }
    if (!(node instanceof Element)) return
    const written = node.tagName.toLowerCase()
    const name = sameAs[written] ?? written
    if (dropped.has(name)) return
    const children = (inside: readonly string[]) => {
      for (const child of node.childNodes) walk(child, inside)
    }
    const isInline = inline.has(name)
    const [start, end] =
      isInline || unseen.has(name) || !richTextTags.includes(name)
        ? ['', '']
        : // Text without a paragraph is shown like one.
          name === 'p'
          ? ['|', '|']
          : [`<${nameOf(node, name)}>`, `</${name}>`]
    tag(start)
    children(isInline ? [...new Set([...formats, nameOf(node, name)])] : formats)
    tag(end)
  }
  walk(new DOMParser().parseFromString(plainHtml(html), 'text/html').body, [])
  return parts
    .filter(({ text }) => text.trim() !== '')
    .map(({ formats, text }) => (formats === '<>' ? text : `{${formats}}${text.trim()}`))
    .join('')
    .replaceAll(/\|+/g, '|')
    .replaceAll(/(>)\||\|(?=<)|^\||\|$/g, '$1')
}

/** Whether the editor shows all of a text that visitors see, so that saving it loses nothing. */
export const fitsEditor = (html: string): boolean => {
  const editor = openEditor({ html })
  const fits = comparableHtml(html) === comparableHtml(storedHtml(editor))
  editor.destroy()
  return fits
}
