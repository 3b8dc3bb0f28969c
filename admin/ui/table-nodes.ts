import { type Editor, Node as EditorNode } from '@tiptap/core'
import { TextSelection } from '@tiptap/pm/state'
import { goToNextCell, tableEditing } from '@tiptap/pm/tables'

/** The roles by which the library of tables finds its nodes. */
const roles: Readonly<Record<string, string>> = {
  table: 'table',
  tableRow: 'row',
  tableCell: 'cell',
  tableHeader: 'header_cell',
}

const spanOf = (name: 'colspan' | 'rowspan') => ({
  default: 1,
  parseHTML: (element: HTMLElement) => Math.max(1, Number(element.getAttribute(name)) || 1),
  renderHTML: (attributes: Record<string, unknown>) => (attributes[name] === 1 ? {} : { [name]: attributes[name] }),
})

const cell = (name: 'tableCell' | 'tableHeader', tag: 'td' | 'th') =>
  EditorNode.create({
    name,
    content: '(paragraph | bulletList | orderedList)+',
    isolating: true,
    // Columns are as wide as their content, so that a table fits every screen.
    addAttributes: () => ({
      colspan: spanOf('colspan'),
      rowspan: spanOf('rowspan'),
      colwidth: { default: null, rendered: false },
    }),
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
  })

const Table = EditorNode.create({
  name: 'table',
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: () => ['table', ['tbody', 0]],
  extendNodeSchema: ({ name }) => ({ tableRole: roles[name] }),
  addProseMirrorPlugins: () => [tableEditing()],
  // In the last cell, Tab leaves the text as everywhere.
  addKeyboardShortcuts() {
    const move = (step: 1 | -1) => () => goToNextCell(step)(this.editor.state, this.editor.view.dispatch)
    return { Tab: move(1), 'Shift-Tab': move(-1) }
  },
})

const TableRow = EditorNode.create({
  name: 'tableRow',
  content: '(tableCell | tableHeader)*',
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: () => ['tr', 0],
})

/** A table with its rows and cells. */
export const tableNodes = [Table, TableRow, cell('tableCell', 'td'), cell('tableHeader', 'th')]

/** Inserts a table of two columns below a row of headings, and moves into its first cell. */
export const insertTable = (editor: Editor): void => {
  const rowOf = (type: 'tableCell' | 'tableHeader') => ({
    type: 'tableRow',
    content: [0, 1].map(() => ({ type, content: [{ type: 'paragraph' }] })),
  })
  const table = editor.schema.nodeFromJSON({
    type: 'table',
    content: [rowOf('tableHeader'), rowOf('tableCell'), rowOf('tableCell')],
  })
  const { tr } = editor.state
  const { to } = tr.selection
  // An empty line gives way to it, and what is selected stays.
  tr.replaceRangeWith(to, to, table)
  tr.doc.descendants((node, at) => {
    if (node === table) tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1)))
    return node !== table
  })
  tr.scrollIntoView()
  editor.view.dispatch(tr)
  editor.view.focus()
}

/**
 * Writes a table of the editor as it is stored: rows of headings as its head, the direction of each
 * heading, and cells without paragraphs.
 */
export const tidyTable = (table: HTMLTableElement): void => {
  const rows = [...table.rows]
  for (const each of rows.flatMap((row) => [...row.cells])) {
    const [first] = each.children
    if (first?.tagName === 'P' && each.children.length === 1) first.replaceWith(...first.childNodes)
    if (each.tagName === 'TH') each.setAttribute('scope', 'row')
  }
  const isHead = (row: HTMLTableRowElement) => [...row.cells].every(({ tagName }) => tagName === 'TH')
  const headLength = rows.findIndex((row) => !isHead(row))
  // A table of headings alone has no head.
  if (headLength <= 0) return
  const head = table.createTHead()
  for (const row of rows.slice(0, headLength)) {
    for (const each of row.cells) each.setAttribute('scope', 'col')
    head.append(row)
  }
}
