import { type Editor, Node as EditorNode } from '@tiptap/core'
import { Fragment, type Node, DOMParser as NodeParser, type ResolvedPos, type Schema } from '@tiptap/pm/model'
import { NodeSelection, TextSelection, type Transaction } from '@tiptap/pm/state'

/** Where the nearest node of a type around a position begins, or null. */
const around = ($at: ResolvedPos, name: string): { node: Node; at: number } | null => {
  for (let depth = $at.depth; depth > 0; depth--)
    if ($at.node(depth).type.name === name) return { node: $at.node(depth), at: $at.before(depth) }
  return null
}

/** The caption of a figure, or of a table while the table is edited. */
const caption = (name: 'figureCaption' | 'tableCaption', tag: 'figcaption' | 'p') =>
  EditorNode.create({
    name,
    content: 'inline*',
    isolating: true,
    parseHTML: () => [{ tag: name === 'figureCaption' ? tag : 'p[data-caption]', priority: 60 }],
    renderHTML: () => (name === 'figureCaption' ? [tag, 0] : [tag, { 'data-caption': '' }, 0]),
    // A caption has one line. Enter goes on behind it: in the table, or below the figure.
    addKeyboardShortcuts() {
      return {
        Enter: () => {
          const { $from } = this.editor.state.selection
          if ($from.parent.type.name !== name) return false
          if (name === 'tableCaption') {
            const { tr, doc } = this.editor.state
            this.editor.view.dispatch(tr.setSelection(TextSelection.near(doc.resolve($from.after() + 1))))
            return true
          }
          const figure = around($from, 'figure')
          if (!figure) return false
          const end = figure.at + figure.node.nodeSize
          return this.editor
            .chain()
            .insertContentAt(end, { type: 'paragraph' })
            .setTextSelection(end + 1)
            .run()
        },
      }
    },
  })

/** A picture, a table or words, with a caption before or after them. */
const Figure = EditorNode.create({
  name: 'figure',
  group: 'block',
  content:
    'figureCaption? (paragraph | blockquote | bulletList | orderedList | table | captionedTable)+ figureCaption?',
  isolating: true,
  parseHTML: () => [{ tag: 'figure' }],
  renderHTML: () => ['figure', 0],
  // A caption does not stay without its picture.
  addKeyboardShortcuts() {
    const remove = () => {
      const { selection } = this.editor.state
      if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'picture') return false
      const figure = around(selection.$from, 'figure')
      if (!figure || selection.$from.parent.childCount > 1) return false
      if (figure.node.children.filter(({ type }) => type.name !== 'figureCaption').length > 1) return false
      return this.editor.commands.deleteRange({ from: figure.at, to: figure.at + figure.node.nodeSize })
    }
    return { Backspace: remove, Delete: remove }
  },
})

/** The library of tables knows rows alone inside of a table, so the caption stands before it. */
const CaptionedTable = EditorNode.create({
  name: 'captionedTable',
  group: 'block',
  content: 'tableCaption table',
  isolating: true,
  parseHTML: () => [
    {
      tag: 'table',
      priority: 60,
      getAttrs: (table) => (table.querySelector(':scope > caption') ? null : false),
      getContent: (table, schema: Schema) => {
        const parser = NodeParser.fromSchema(schema)
        const copy = table.cloneNode(true)
        if (!(copy instanceof Element)) throw new Error('A table is copied as an element')
        const words = copy.querySelector(':scope > caption')
        words?.remove()
        const part = (element: globalThis.Node | null, topNode: Node) =>
          element ? parser.parse(element, { topNode }) : topNode
        const { tableCaption, table: tableType, captionedTable } = schema.nodes
        if (!tableCaption || !tableType || !captionedTable) throw new Error('The schema has no captions')
        return captionedTable.create(null, [part(words, tableCaption.create()), part(copy, tableType.create())]).content
      },
    },
    { tag: 'div[data-captioned]' },
  ],
  renderHTML: () => ['div', { 'data-captioned': '' }, 0],
})

/**
 * Writes the figures and captions of a page of the editor as they are stored. A caption without
 * words is left out.
 */
export const tidyCaptions = (page: Document): void => {
  for (const each of page.querySelectorAll('figcaption')) if (!each.textContent?.trim()) each.remove()
  for (const captioned of page.querySelectorAll('div[data-captioned]')) {
    const words = captioned.querySelector(':scope > p')
    const table = captioned.querySelector('table')
    if (!table) continue
    if (words?.textContent?.trim()) {
      const text = page.createElement('caption')
      text.append(...words.childNodes)
      table.prepend(text)
    }
    captioned.replaceWith(table)
  }
  for (const line of page.querySelectorAll('figure > p')) {
    const isPicture = [...line.childNodes].every((child) => child.nodeName === 'IMG' || child.nodeName === 'A')
    if (line.parentElement?.querySelectorAll(':scope > p').length === 1 && isPicture)
      line.replaceWith(...line.childNodes)
  }
}

/** Figures, and the captions of tables. */
export const captionNodes = [
  Figure,
  CaptionedTable,
  caption('figureCaption', 'figcaption'),
  caption('tableCaption', 'p'),
]

/** Gives the table at the selection a caption and moves into it, or removes the one it has. */
export const toggleTableCaption = (editor: Editor): void => {
  const { tr, schema, selection } = editor.state
  const captioned = around(selection.$from, 'captionedTable')
  const table = around(selection.$from, 'table')
  const { tableCaption, captionedTable } = schema.nodes
  if (captioned) {
    const inner = captioned.node.lastChild
    if (inner) tr.replaceWith(captioned.at, captioned.at + captioned.node.nodeSize, inner)
    tr.setSelection(TextSelection.near(tr.doc.resolve(captioned.at + 1)))
  } else if (table && tableCaption && captionedTable) {
    const wrapped = captionedTable.create(null, [tableCaption.create(), table.node])
    tr.replaceWith(table.at, table.at + table.node.nodeSize, wrapped)
    tr.setSelection(TextSelection.create(tr.doc, table.at + 2))
  } else return
  editor.view.dispatch(tr.scrollIntoView())
  editor.view.focus()
}

/** Removes the table at the selection, with its caption. */
export const removeTable = (editor: Editor): void => {
  const { $from } = editor.state.selection
  const table = around($from, 'captionedTable') ?? around($from, 'table')
  if (table)
    editor
      .chain()
      .focus()
      .deleteRange({ from: table.at, to: table.at + table.node.nodeSize })
      .run()
}

/** The change that gives the picture at the selection a caption or removes it; null if none can. */
const pictureCaptionChange = ({ state }: Editor): Transaction | null => {
  const { tr, schema, selection } = state
  const { paragraph, figure: figureType, figureCaption } = schema.nodes
  if (!paragraph || !figureType || !figureCaption) return null
  const figure = around(selection.$from, 'figure')
  const present = figure?.node.children.find(({ type }) => type === figureCaption)
  if (figure && present) {
    const rest = figure.node.children.filter((child) => child !== present)
    return tr.replaceWith(figure.at, figure.at + figure.node.nodeSize, rest)
  }
  if (figure) {
    const end = figure.at + figure.node.nodeSize - 1
    tr.insert(end, figureCaption.create())
    return tr.setSelection(TextSelection.create(tr.doc, end + 1))
  }
  if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'picture') return null
  // A figure stands between paragraphs, so the paragraph of the picture is divided.
  const { $from, node, to } = selection
  const line = $from.parent
  const before = line.cut(0, $from.parentOffset)
  const after = line.cut($from.parentOffset + node.nodeSize)
  const parts = [
    ...(before.childCount > 0 ? [before] : []),
    figureType.create(null, [paragraph.create(null, node), figureCaption.create()]),
    ...(after.childCount > 0 ? [after] : []),
  ]
  const index = $from.index(-1)
  // In a list or a table it stays among the words.
  if (!$from.node(-1).canReplace(index, index + 1, Fragment.from(parts))) return null
  tr.replaceWith($from.before(), $from.after(), parts)
  // Behind the end of the picture's paragraph, and of its first part where there is one.
  return tr.setSelection(TextSelection.create(tr.doc, to + (before.childCount > 0 ? 2 : 0) + 3))
}

/** Whether the picture at the selection can have a caption, and whether it has one. */
export const pictureCaptionState = (editor: Editor): 'IMPOSSIBLE' | 'ABSENT' | 'PRESENT' => {
  const figure = around(editor.state.selection.$from, 'figure')
  if (figure?.node.children.some(({ type }) => type.name === 'figureCaption')) return 'PRESENT'
  return pictureCaptionChange(editor) ? 'ABSENT' : 'IMPOSSIBLE'
}

/** Gives the picture at the selection a caption and moves into it, or removes the one it has. */
export const togglePictureCaption = (editor: Editor): void => {
  const change = pictureCaptionChange(editor)
  if (change) editor.view.dispatch(change.scrollIntoView())
  editor.view.focus()
}

/** Changes the picture that is selected, or inserts one, and selects it. */
export const setPicture = (editor: Editor, attributes: Record<string, unknown>): void => {
  const { tr, schema, selection } = editor.state
  if (selection instanceof NodeSelection && selection.node.type.name === 'picture') {
    // Keeps the link around it.
    tr.setNodeMarkup(selection.from, null, { ...selection.node.attrs, ...attributes })
    tr.setSelection(NodeSelection.create(tr.doc, selection.from))
  } else if (attributes.src !== undefined) {
    const node = schema.node('picture', attributes)
    tr.replaceSelectionWith(node, false)
    tr.doc.descendants((each, at) => {
      if (each === node) tr.setSelection(NodeSelection.create(tr.doc, at))
      return each !== node
    })
  }
  editor.view.dispatch(tr.scrollIntoView())
}
