import { Trans, useLingui } from '@lingui/react/macro'
import type { Editor } from '@tiptap/core'
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, toggleHeaderRow } from '@tiptap/pm/tables'
import type { ReactNode } from 'react'
import { Button } from '~/ui/button'
import { removeTable, toggleTableCaption } from './caption-nodes'
import styles from './visual-editor.module.css'

interface Tool {
  key: string
  label: ReactNode
  run: () => void
}

/** What can be done to the table that the selection is in, or to the one of its caption. */
export function TableTools({ editor }: { editor: Editor }) {
  const { t } = useLingui()
  const cells = (run: typeof addRowAfter) => () => {
    run(editor.state, editor.view.dispatch)
    editor.view.focus()
  }
  const cellTools: Tool[] = [
    { key: 'add-row', label: <Trans>Add row</Trans>, run: cells(addRowAfter) },
    { key: 'add-column', label: <Trans>Add column</Trans>, run: cells(addColumnAfter) },
    { key: 'heading', label: <Trans>Row of headings</Trans>, run: cells(toggleHeaderRow) },
    { key: 'remove-row', label: <Trans>Remove row</Trans>, run: cells(deleteRow) },
    { key: 'remove-column', label: <Trans>Remove column</Trans>, run: cells(deleteColumn) },
  ]
  const hasCaption = editor.isActive('captionedTable')
  const tools: Tool[] = [
    ...(editor.isActive('table') ? cellTools : []),
    {
      key: 'caption',
      label: hasCaption ? <Trans>Remove caption</Trans> : <Trans>Add caption</Trans>,
      run: () => toggleTableCaption(editor),
    },
    { key: 'remove', label: <Trans>Remove table</Trans>, run: () => removeTable(editor) },
  ]
  return (
    <fieldset className={styles.table} aria-label={t`Table`}>
      {tools.map(({ key, label, run }) => (
        <Button
          key={key}
          size="s"
          // The editor keeps its selection.
          onMouseDown={(event) => event.preventDefault()}
          onClick={run}
        >
          {label}
        </Button>
      ))}
    </fieldset>
  )
}
